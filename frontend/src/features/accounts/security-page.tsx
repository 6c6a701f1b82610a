import { Button } from '@mantine/core';
import type { User } from '@supabase/auth-js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignIns } from '../../../../backend/modules/accounts/account.api.js';
import { useAnswer } from '../../lib/answer.js';
import { useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { accountOf, useSignedIn } from '../../lib/me.js';
import { Card } from '../../ui/card.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import { answered } from '../../lib/auth-refusals.js';
import { configuredProviders } from '../../lib/configured-providers.js';
import { useUser } from './account.queries.js';
import classes from './account.module.css';
import { PasskeysSection } from './passkeys-section.js';
import { type Provider, providerMarks, providerNames, providers } from './providers.js';
import { useAccountChange } from './use-account-change.js';
import { returnTo, useReturn } from './use-return.js';
import { SecondFactorSection } from './second-factor-section.js';

type SignIn = SignIns['items'][number];

/** "Segurança": passkeys, second factor, providers and auth sessions. */
export default function SecurityPage() {
  const { membership } = useSignedIn();
  const user = useUser();
  useReturn();
  return (
    <Page title="Segurança" back={accountOf[membership.role].account} width="narrow">
      <Async of={user} skeleton={<Skeletons count={2} height={120} />}>
        {(data) => (
          <>
            <PasskeysSection />
            <SecondFactorSection user={data} />
            <IdentitiesSection user={data} />
          </>
        )}
      </Async>
      <Devices />
    </Page>
  );
}

/** The account's current and past auth sessions. */
function Devices() {
  const signIns = useAnswer(['account', 'sessions'], 'GET /account/sessions');
  return (
    <Async of={signIns} skeleton={<Skeletons count={4} />}>
      {({ items }) => (
        <>
          <Section title="Aparelhos conectados">
            <Card flush>
              {items
                .filter(({ ativa }) => ativa)
                .map((each) => (
                  <Device key={each.id} signIn={each} />
                ))}
            </Card>
          </Section>
          <Section title="Histórico de acessos">
            <Card flush>
              {items.map((each) => (
                <PastSignIn key={each.id} signIn={each} />
              ))}
            </Card>
          </Section>
        </>
      )}
    </Async>
  );
}

const nameOf = ({ dispositivo }: SignIn) => dispositivo ?? 'Aparelho desconhecido';

function Device({ signIn }: { signIn: SignIn }) {
  const zone = useZone();
  const { mutateAsync, isPending } = useSendTo('DELETE /account/sessions/:session');
  const end = () =>
    attempt(async () => {
      await mutateAsync(signIn.id);
      toast.success('Aparelho desconectado');
    }, 'Erro ao desconectar');
  return (
    <Row
      title={nameOf(signIn)}
      facts={`Último acesso: ${formatMoment(signIn.visto_em, zone)}`}
      actions={
        signIn.atual ? (
          <Tag icon="check">Este aparelho</Tag>
        ) : (
          <Button size="sm" variant="default" loading={isPending} onClick={() => void end()}>
            Desconectar
          </Button>
        )
      }
    />
  );
}

function PastSignIn({ signIn }: { signIn: SignIn }) {
  const zone = useZone();
  const { endereco, entrou_em, ativa } = signIn;
  return (
    <Row
      title={nameOf(signIn)}
      facts={`${formatMoment(entrou_em, zone)}${endereco ? ` · ${endereco}` : ''}`}
      trail={!ativa && <Tag>Encerrado</Tag>}
    />
  );
}

/** The linked accounts at Google and Apple, and those that can be linked. */
function IdentitiesSection({ user }: { user: User }) {
  const { data: configured } = useQuery({
    queryKey: ['providers'],
    queryFn: configuredProviders,
    staleTime: Infinity,
  });
  const isLinked = (provider: Provider) => user.identities?.some((each) => each.provider === provider);
  const shown = providers.filter((provider) => configured?.has(provider) || isLinked(provider));
  if (shown.length === 0) return null;
  return (
    <Section title="Entrar com">
      <Card flush>
        {shown.map((provider) => (
          <Identity key={provider} provider={provider} user={user} />
        ))}
      </Card>
    </Section>
  );
}

interface IdentityProps {
  provider: Provider;
  user: User;
}

function Identity({ provider, user }: IdentityProps) {
  const change = useAccountChange();
  const [busy, setBusy] = useState(false);
  const name = providerNames[provider];
  const identity = user.identities?.find((each) => each.provider === provider);
  const address = identity?.identity_data?.email as string | undefined;

  const link = async () => {
    setBusy(true);
    const options = { redirectTo: returnTo({ ligada: provider }) };
    const leaving = await attempt(
      () => change((client) => answered(client.linkIdentity({ provider, options }))),
      `Erro ao conectar a conta do ${name}`,
    );
    // The redirect leaves the page; if it fails, the button can be used again.
    if (!leaving) setBusy(false);
  };

  const unlink = async () => {
    setBusy(true);
    await attempt(async () => {
      await change(async (client) => {
        await answered(client.unlinkIdentity(identity!));
        await client.refreshSession();
      });
      toast.success(`Conta do ${name} desconectada`, {
        action: { label: 'Conectar de novo', onClick: () => void link() },
      });
    }, `Erro ao desconectar a conta do ${name}`);
    setBusy(false);
  };

  return (
    <Row
      lead={<span className={classes.mark}>{providerMarks[provider]}</span>}
      title={name}
      facts={address ?? 'Não conectada'}
      actions={
        identity ? (
          <Button
            size="sm"
            variant="default"
            loading={busy}
            aria-label={`Desconectar ${name}`}
            onClick={() => void unlink()}
          >
            Desconectar
          </Button>
        ) : (
          <Button
            size="sm"
            variant="default"
            loading={busy}
            aria-label={`Conectar ${name}`}
            onClick={() => void link()}
          >
            Conectar
          </Button>
        )
      }
    />
  );
}
