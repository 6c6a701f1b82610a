import type { Session, SessionPage } from '../../../../backend/modules/agenda/agenda.api.js';
import { read } from '../../lib/calls.js';
import { formatMoment, instantOf } from '../../lib/dates.js';
import { usePaged } from '../../lib/paged.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Skeletons } from '../../ui/states.js';
import { SESSIONS } from './session-reads.js';
import { placeOf, reasons, sessionAddress, StatusTag } from './session-status.js';

type Period = { from: string } | { to: string; ordem: 'recentes' };

const AT_ONCE = 8;

const useSessionsOf = (student_id: string, period: Period) =>
  usePaged<Session, SessionPage>([SESSIONS, 'student', student_id, period], (cursor, signal) =>
    read('GET /sessions', { query: { student_id, ...period, cursor, limit: AT_ONCE }, signal }),
  );

/** A student's sessions: from today on by start, and past ones, latest first. */
export function StudentSessions({ studentId }: { studentId: string }) {
  const today = instantOf(useToday(), '00:00', useZone());
  return (
    <>
      <Section title="Hoje e próximas">
        <Sessions of={useSessionsOf(studentId, { from: today })} none="Nenhuma sessão agendada" />
      </Section>
      <Section title="Anteriores">
        <Sessions
          of={useSessionsOf(studentId, { to: today, ordem: 'recentes' })}
          none="Nenhuma sessão antes de hoje"
        />
      </Section>
    </>
  );
}

function Sessions({ of, none }: { of: ReturnType<typeof useSessionsOf>; none: string }) {
  const zone = useZone();
  return (
    <Card flush>
      <InfiniteList
        of={of}
        manual
        failure="Erro ao carregar sessões"
        skeleton={<Skeletons count={2} />}
        empty={<Notice icon="calendar" title={none} />}
      >
        {(items) =>
          items.map((session) => (
            <Row
              key={session.id}
              to={sessionAddress(session, zone)}
              title={formatMoment(session.inicio, zone)}
              facts={[placeOf(session), session.motivo && reasons[session.motivo]]
                .filter(Boolean)
                .join(' · ')}
              trail={<StatusTag session={session} />}
            />
          ))
        }
      </InfiniteList>
    </Card>
  );
}
