import type { Session, SessionPage } from '../../../../backend/modules/agenda/agenda.api.js';
import { read } from '../../lib/calls.js';
import { formatMoment, instantOf, type Moment } from '../../lib/dates.js';
import { inPast } from '../../lib/moment.js';
import { usePaged } from '../../lib/paged.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Skeletons } from '../../ui/states.js';
import { reads } from '../../lib/topics.js';
import { SESSIONS } from './session-reads.js';
import { placeOf, reasons, sessionAddress, StatusTag } from './session-status.js';

type Period = { from: string } | { to: string; ordem: 'recentes' };

const AT_ONCE = 8;

/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-student-sessions', []);

const useSessionsOf = (student_id: string, period: Period, at: string | undefined) =>
  usePaged<Session, SessionPage>(
    [at ? PAST : SESSIONS, 'student', student_id, period, at],
    (cursor, signal) =>
      read('GET /sessions', { query: { student_id, ...period, at, cursor, limit: AT_ONCE }, signal }),
  );

interface StudentSessionsProps {
  studentId: string;
  /** Shows them as they were. */
  moment?: Moment | undefined;
}

/** A student's sessions: from today, or the day of the moment, on by start, and those before, latest first. */
export function StudentSessions({ studentId, moment }: StudentSessionsProps) {
  const today = useToday();
  const from = instantOf(moment?.day ?? today, '00:00', useZone());
  const coming = useSessionsOf(studentId, { from }, moment?.at);
  const before = useSessionsOf(studentId, { to: from, ordem: 'recentes' }, moment?.at);
  return (
    <>
      <Section title={moment ? 'Sessões desse dia em diante' : 'Hoje e próximas'}>
        <Sessions of={coming} none="Nenhuma sessão agendada" moment={moment} />
      </Section>
      <Section title={moment ? 'Sessões antes desse dia' : 'Anteriores'}>
        <Sessions
          of={before}
          none={`Nenhuma sessão antes ${moment ? 'desse dia' : 'de hoje'}`}
          moment={moment}
        />
      </Section>
    </>
  );
}

interface SessionsProps extends Pick<StudentSessionsProps, 'moment'> {
  of: ReturnType<typeof useSessionsOf>;
  none: string;
}

function Sessions({ of, none, moment }: SessionsProps) {
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
              to={inPast(sessionAddress(session, zone), moment)}
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
