import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OwnSessions as Answer } from '../../../../backend/modules/agenda/own-sessions.api.js';
import { formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { saveSessionFile } from './session-file.js';
import { SESSIONS } from './session-reads.js';

/** The next sessions of the student who is signed in. */
export function OwnSessions() {
  const zone = useZone();
  const sessions = useQuery({
    queryKey: [SESSIONS, 'own'],
    queryFn: ({ signal }) => http.get<Answer>('/student/sessions', undefined, signal),
  });
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
              {items.map(({ id, inicio, fim, location_nome }) => (
                <Row
                  key={id}
                  title={`${formatMoment(inicio, zone)}–${formatTime(timeOf(fim, zone))}`}
                  facts={location_nome ?? 'Local a combinar'}
                  actions={
                    <ActionIcon
                      aria-label={`Adicionar ao calendário: ${formatMoment(inicio, zone)}`}
                      onClick={() => void saveSessionFile(`/student/sessions/${id}`)}
                    >
                      <Icon name="calendar" />
                    </ActionIcon>
                  }
                />
              ))}
            </Card>
          )
        }
      </Async>
    </Section>
  );
}
