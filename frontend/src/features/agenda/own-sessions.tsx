import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { OwnSession } from '../../../../backend/modules/agenda/own-sessions.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Loading } from '../../ui/loading.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import { useConfirmOwnSession, useOwnSessions } from './own-sessions.queries.js';

const OwnSessionDetail = lazy(() => whenReachable(() => import('./own-session-sheet.js')));

/** The next sessions of the student who is signed in. */
export function OwnSessions() {
  const zone = useZone();
  const sessions = useOwnSessions();
  const [chosen, choose] = useState<string | null>(null);
  const shown = sessions.data?.items.find(({ id }) => id === chosen);
  return (
    <Section title="Próximas Aulas">
      <Async of={sessions} skeleton={<Skeletons count={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Notice icon="calendar" title="Nenhuma aula agendada" />
            </Card>
          ) : (
            <Card flush>
              {items.map((session) => (
                <Session key={session.id} session={session} onOpen={() => choose(session.id)} />
              ))}
            </Card>
          )
        }
      </Async>
      <Sheet
        opened={shown !== undefined}
        onClose={() => choose(null)}
        title={shown ? timesOf(shown, zone) : ''}
        withoutAddress
      >
        {shown && (
          <Suspense fallback={<Loading />}>
            <OwnSessionDetail session={shown} onDone={() => choose(null)} />
          </Suspense>
        )}
      </Sheet>
    </Section>
  );
}

function Session({ session, onOpen }: { session: OwnSession; onOpen: () => void }) {
  const zone = useZone();
  const confirmation = useConfirmOwnSession();
  const { id, inicio, location_nome, a_confirmar, pedido } = session;
  const confirm = () =>
    attempt(async () => {
      await confirmation.mutateAsync(id);
      toast.success('Presença confirmada');
    }, 'Não foi possível confirmar');
  return (
    <Row
      onClick={onOpen}
      title={timesOf(session, zone)}
      facts={location_nome ?? 'Local a combinar'}
      trail={
        pedido && (
          <Tag tone={pedido.situacao === 'aberto' ? 'accent' : 'warn'}>
            {pedido.situacao === 'aberto' ? 'Pedido enviado' : 'Pedido recusado'}
          </Tag>
        )
      }
      actions={
        a_confirmar && (
          <Button
            size="sm"
            aria-label={`Confirmar presença: ${formatMoment(inicio, zone)}`}
            loading={confirmation.isPending}
            onClick={() => void confirm()}
          >
            Confirmar
          </Button>
        )
      }
    />
  );
}

const timesOf = ({ inicio, fim }: OwnSession, zone: string) =>
  `${formatMoment(inicio, zone)}–${formatTime(timeOf(fim, zone))}`;
