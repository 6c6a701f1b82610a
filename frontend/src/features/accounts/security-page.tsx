import { Button } from '@mantine/core';
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
import { useUser } from './account.queries.js';
import { IdentitiesSection } from './identities-section.js';
import { SecondFactorSection } from './second-factor-section.js';
import { useReturn } from './use-return.js';

type SignIn = SignIns['items'][number];

/** "Segurança": password, second factor, providers and auth sessions. */
export default function SecurityPage() {
  const { membership } = useSignedIn();
  const user = useUser();
  useReturn();
  return (
    <Page title="Segurança" back={accountOf[membership.role].account} width="narrow">
      <Async of={user} skeleton={<Skeletons count={2} height={120} />}>
        {(data) => (
          <>
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
