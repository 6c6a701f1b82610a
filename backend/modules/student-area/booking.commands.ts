import { randomUUID } from 'node:crypto';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { reschedule } from '../agenda/agenda.commands.js';
import { decideBook, existingSession, session, single } from '../agenda/session.js';
import { balance, creditAccount } from '../credits/credit-account.js';
import { location } from '../locations/location.js';
import { activeStudent, student } from '../students/student.js';
import { freePeriod, loadOwn, periodFor, refuseLate } from './own-session.loads.js';
import { decideDone, refuseOver, sessionRequest } from './session-request.js';
import { decideSetBooking, refuseObstacle, studentBooking } from './student-booking.js';
import type { BookingSettings, NewOwnSession, OwnMove } from './student-booking.api.js';

export const SetStudentBooking = defineCommand('SetStudentBooking', async (tx, wanted: BookingSettings) => {
  const id = tx.context.tenantId;
  tx.append(studentBooking, id, decideSetBooking(await tx.load(studentBooking, id), wanted));
  return { id };
});

const DAY_MS = 86_400_000;

/** What the student `$2` has scheduled after `$3`, and which of it the student booked. */
const ahead = defineLookUp<
  { agendadas: number; proprias: number },
  [studentId: string, now: Date, until: Date]
>(
  `select count(*) filter (where m.inicio < $4 and (select (e.data->>'confirmado')::boolean from events e
      where e.tenant_id = m.tenant_id and e.stream_id = 'session:' || m.session_id
        and e.type in ('SessionBooked', 'SessionChanged') order by e.version desc limit 1))::int as agendadas,
    count(*) filter (where exists (select from events e where e.tenant_id = m.tenant_id
      and e.stream_id = 'session-request:' || m.session_id and e.type = 'SessionChangedByStudent'
      and e.data->>'pedido' = 'agendar' and e.data->>'student_id' = $2))::int as proprias
  from session_slot_members m
  where m.tenant_id = $1 and m.inicio > $3 and exists (
    select from events e where e.tenant_id = m.tenant_id and e.stream_id = 'session:' || m.session_id
      and e.data->>'student_id' = $2)`,
);

/** One of the free times, by the trainer's settings. Never over anything else. */
export const BookOwnSession = defineCommand(
  'BookOwnSession',
  async (tx, { inicio, location_id }: NewOwnSession) => {
    const { tenantId, studentId, timezone } = tx.context;
    const student_id = studentId!;
    const [settings, who, account, where] = await Promise.all([
      tx.load(studentBooking, tenantId),
      tx.load(student, student_id),
      tx.load(creditAccount, student_id),
      location_id === null ? undefined : tx.load(location, location_id),
    ]);
    activeStudent(who);
    if (where && !(where.status === 'existing' && where.is_active))
      throw new Problem('student_area.location_gone');
    const until = new Date(tx.now.getTime() + (settings.dias + 1) * DAY_MS);
    const [counts] = await tx.lookUp(ahead, student_id, tx.now, until);
    refuseObstacle(settings, balance(account, tx.now), counts!);
    const period = await freePeriod(tx, settings, inicio);
    const session_id = randomUUID();
    const booking = {
      ...{ session_id, student_id, location_id, timezone, observacoes: null, permitir_conflito: false },
      ...{ ...single, ...period },
    };
    tx.append(session, session_id, decideBook(booking));
    const booked = existingSession(await tx.load(session, session_id));
    tx.append(sessionRequest, session_id, decideDone(booked, 'agendar', tx.now));
    return { id: session_id };
  },
);

/** Within the notice, to a free time. It costs nothing. */
export const MoveOwnSession = defineCommand('MoveOwnSession', async (tx, id: string, { inicio }: OwnMove) => {
  const state = await loadOwn(tx, id);
  if (state.inicio === inicio) return { id };
  refuseOver(state, tx.now);
  await refuseLate(tx, state);
  await reschedule(tx, state, await periodFor(tx, state, inicio), false);
  tx.append(sessionRequest, id, decideDone(state, 'remarcar', tx.now));
  return { id };
});
