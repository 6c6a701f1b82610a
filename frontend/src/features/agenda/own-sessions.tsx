import { ActionIcon, Button } from '@mantine/core';
import type { OwnSession } from '../../../../backend/modules/agenda/own-sessions.api.js';
import { formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import { useConfirmOwnSession, useOwnSessions } from './own-sessions.queries.js';
import { saveSessionFile } from './session-file.js';

/** The next sessions of the student who is signed in. */
export function OwnSessions() {
  return (
    <Section title="Próximas Aulas">
      <Async of={useOwnSessions()} skeleton={<Skeletons count={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Notice icon="calendar" title="Nenhuma aula agendada" />
            </Card>
          ) : (
            <Card flush>
              {items.map((session) => (
                <Session key={session.id} session={session} />
              ))}
            </Card>
          )
        }
      </Async>
    </Section>
  );
}

function Session({ session }: { session: OwnSession }) {
  const zone = useZone();
  const confirmation = useConfirmOwnSession();
  const { id, inicio, fim, location_nome, a_confirmar } = session;
  const moment = formatMoment(inicio, zone);
  const confirm = () =>
    attempt(async () => {
      await confirmation.mutateAsync(id);
      toast.success('Presença confirmada');
    }, 'Não foi possível confirmar');
  return (
    <Row
      title={`${moment}–${formatTime(timeOf(fim, zone))}`}
      facts={location_nome ?? 'Local a combinar'}
      actions={
        <>
          {a_confirmar && (
            <Button
              size="compact-md"
              aria-label={`Confirmar presença: ${moment}`}
              loading={confirmation.isPending}
              onClick={() => void confirm()}
            >
              Confirmar
            </Button>
          )}
          <ActionIcon
            aria-label={`Adicionar ao calendário: ${moment}`}
            onClick={() => void saveSessionFile(`/student/sessions/${id}`)}
          >
            <Icon name="calendar" />
          </ActionIcon>
        </>
      }
    />
  );
}
