import { Button } from '@mantine/core';
import type { User } from '@supabase/auth-js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { configuredProviders } from '../../lib/auth.js';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './account.module.css';
import { type Provider, providerMarks, providerNames, providers } from './providers.js';
import { answered } from '../../lib/auth-refusals.js';
import { useAccountChange } from './use-account-change.js';
import { returnTo } from './use-return.js';

/** The linked accounts at Google and Apple, and those that can be linked. */
export function IdentitiesSection({ user }: { user: User }) {
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
