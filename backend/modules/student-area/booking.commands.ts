import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { reschedule } from '../agenda/agenda.commands.js';
import { usesCredit } from '../agenda/cancellation.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { sessionDetails } from '../agenda/session-ways.loads.js';
import { agreedTo, isHeldAt, offered, service } from '../services/service.js';
import { decideBook, existingSession, session, single } from '../sessions/session.js';
import { creditAccount } from '../credits/credit-account.js';
import { creditSharing } from '../credits/credit-sharing.js';
import { sharersOf } from '../credits/credit-sharing.loads.js';
import { location } from '../locations/location.js';
import { publicLink, showsLocation } from '../public-link/public-link.js';
import { activeStudent, student } from '../students/student.js';
import { changesByStudents, freePeriod, loadOwn, periodFor, refuseLate } from './own-session.loads.js';
import { decideDone, refuseOver, sessionRequest } from './session-request.js';
import {
  decideSetBooking,
  forService,
  plainClass,
  refuseBeyondCredits,
  refuseObstacle,
  shownUntil,
  type Standing,
  studentBooking,
} from './student-booking.js';
import type { BookingChange, BookingSettings, NewOwnSession, OwnMove } from './student-booking.api.js';

export const SetStudentBooking = defineCommand('SetStudentBooking', async (tx, wanted: BookingChange) => {
  const id = tx.context.tenantId;
  tx.append(studentBooking, id, decideSetBooking(await tx.load(studentBooking, id), wanted));
  return { id };
});

/** The first event of each session. */
const bookings = storedEvents({ SessionBooked: [1, 2] });

/**
 * The confirmed sessions of the student `$2` that are still to be settled: future ones (after `$3`) from guard and log, with
 * whether the student booked them; past ones from the read table. Unconfirmed sessions do not count, because anybody may have
 * booked them with the student's phone number.
 */
const toSettle = defineLookUp<
  { session_id: string; inicio: Date; propria: boolean; usa_credito: boolean },
  [studentId: string, now: Date]
>(
  `select m.session_id, m.inicio, exists (select from ${changesByStudents} e where e.tenant_id = m.tenant_id
      and e.stream_id = 'session-request:' || m.session_id
      and e.data->>'pedido' = 'agendar' and e.data->>'student_id' = $2 offset 0) as propria,
    coalesce((select (b.data->'servico'->>'usa_credito')::boolean from ${bookings} b
      where b.tenant_id = m.tenant_id and b.stream_id = 'session:' || m.session_id offset 0), true) as usa_credito
  from session_slot_members m cross join lateral (
    select d.data from ${sessionDetails} d where d.tenant_id = m.tenant_id and d.stream_id = 'session:' || m.session_id
    order by d.version desc limit 1) details
  where m.tenant_id = $1 and m.inicio > $3 and details.data->>'student_id' = $2
    and (details.data->>'confirmado')::boolean
    and (select e.type from events e where e.tenant_id = m.tenant_id and e.stream_id = 'session:' || m.session_id
      order by e.version desc limit 1) <> 'SessionCompleted'
  union all
  select id, inicio, false, coalesce((servico->>'usa_credito')::boolean, true) from sessions
  where tenant_id = $1 and student_id = $2::uuid and status = 'agendada' and confirmado and not deleted and inicio <= $3`,
);

/** The student's credits and sessions, without the session `moved`. */
export async function loadStanding(
  tx: CommandTransaction,
  settings: BookingSettings,
  moved?: string,
): Promise<Standing> {
  const student_id = tx.context.studentId!;
  const dono = (await tx.load(creditSharing, student_id)).dono_id ?? student_id;
  const [shared, alunos, own] = await Promise.all([
    tx.load(creditAccount, dono),
    sharersOf(tx, dono),
    standingOf(tx, settings, student_id, dono, moved),
  ]);
  if (alunos.length === 0) return { ...own, lots: shared.lots, divididos: null };
  const others = [dono, ...alunos].filter((each) => each !== student_id);
  const outros = await Promise.all(others.map((id) => standingOf(tx, settings, id, dono)));
  return { ...own, divididos: { lots: shared.lots, outros } };
}

/** A student's sessions, and the credits that no other student uses. */
async function standingOf(
  tx: CommandTransaction,
  settings: BookingSettings,
  student_id: string,
  dono: string,
  moved?: string,
) {
  const found = await tx.lookUp(toSettle, student_id, tx.now);
  const sessions = found.filter(({ session_id }) => session_id !== moved);
  const until = shownUntil(settings, tx.now);
  return {
    lots: student_id === dono ? [] : (await tx.load(creditAccount, student_id)).lots,
    agendadas: sessions.flatMap(({ inicio, usa_credito }) => (usa_credito && inicio < until ? [inicio] : [])),
    proprias: sessions.filter(({ propria }) => propria).length,
  };
}

/** A row if the student `$2` has a past or future session at the location. */
const trainsAt = defineLookUp<{ id: string }, [studentId: string, locationId: string]>(
  `select id from sessions where tenant_id = $1 and student_id = $2 and location_id = $3 and not deleted limit 1`,
);

/** Refuses locations that students do not know: neither active ones on the public page, nor any where the student trains. */
async function refuseUnknownPlace(tx: CommandTransaction, id: string): Promise<void> {
  const [where, link] = await Promise.all([tx.load(location, id), tx.load(publicLink, tx.context.tenantId)]);
  const { is_active } = where.status === 'existing' ? where : { is_active: false };
  if (is_active && link.ativo && showsLocation(link, { id, is_active })) return;
  const [known] = is_active ? await tx.lookUp(trainsAt, tx.context.studentId!, id) : [];
  if (!known) throw new Problem('student_area.location_gone');
}

/** Books one of the free times, by the trainer's settings; never at a taken time. */
export const BookOwnSession = defineCommand(
  'BookOwnSession',
  async (tx, { inicio, location_id, service_id }: NewOwnSession) => {
    const { tenantId, studentId, timezone } = tx.context;
    const student_id = studentId!;
    const [saved, who, what] = await Promise.all([
      tx.load(studentBooking, tenantId),
      tx.load(student, student_id),
      service_id ? tx.load(service, service_id) : undefined,
      location_id === null ? undefined : refuseUnknownPlace(tx, location_id),
    ]);
    activeStudent(who);
    const chosen = what ? offered(what, 'para_alunos') : plainClass(saved);
    if (!chosen) throw new Problem('student_area.service_gone');
    if (location_id === null ? chosen.locais !== null : !isHeldAt(chosen, location_id))
      throw new Problem('student_area.location_gone');
    const settings = forService(saved, chosen);
    refuseObstacle(settings, await loadStanding(tx, settings), { inicio, now: tx.now });
    const period = await freePeriod(tx, settings, { inicio, location_id });
    const session_id = randomUUID();
    const booking = {
      session_id,
      student_id,
      location_id,
      timezone,
      observacoes: null,
      permitir_conflito: false,
      ...single,
      ...period,
      servico: agreedTo(chosen),
    };
    tx.append(session, session_id, decideBook(booking));
    const booked = existingSession(await tx.load(session, session_id));
    tx.append(sessionRequest, session_id, decideDone(booked, booked, 'agendar', tx.now));
    return { id: session_id };
  },
);

/** Moves a session to a free time, in time by the policy and without cost. */
export const MoveOwnSession = defineCommand('MoveOwnSession', async (tx, id: string, { inicio }: OwnMove) => {
  const [state] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
  if (state.inicio === inicio) return { id };
  refuseOver(state, tx.now);
  await refuseLate(tx, state);
  const saved = await tx.load(studentBooking, tx.context.tenantId);
  const settings = { ...saved, exige_credito: saved.exige_credito && usesCredit(state) };
  refuseBeyondCredits(settings, await loadStanding(tx, settings, id), {
    before: state.inicio,
    inicio,
    now: tx.now,
  });
  const moved = await reschedule(tx, state, await periodFor(tx, state, inicio), false);
  tx.append(sessionRequest, id, decideDone(state, moved, 'remarcar', tx.now));
  return { id };
});
