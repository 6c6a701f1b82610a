import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { shortDate } from '../../platform/portuguese.js';
import { loadTerms } from '../agenda/session.loads.js';
import { lessThanHours } from '../agenda/cancellation.api.js';
import { type KnownSession, ownSession, type Period, session } from '../sessions/session.js';
import { publicLink } from '../public-link/public-link.js';
import { freeStarts, refuseTaken } from '../public-link/visits.commands.js';
import { isPausedOn, studentPause } from '../away/student-pause.js';
import { isInTime } from './session-request.js';
import { limitsOf, studentBooking } from './student-booking.js';
import type { BookingSettings, NewOwnSession } from './student-booking.api.js';

/** What students' commands load and check before they decide. */

/** What students did themselves: stream `session-request:` and the session's id. */
export const changesByStudents = storedEvents({ SessionChangedByStudent: [1, 2] });

export async function loadOwn(tx: CommandTransaction, id: string): Promise<KnownSession> {
  return ownSession(await tx.load(session, id), tx.context);
}

/** Refuses a late change, by the location's policy at the time of booking. */
export async function refuseLate(tx: CommandTransaction, state: KnownSession): Promise<void> {
  const { cancel_limite_horas: hours } = await loadTerms(tx, state);
  if (!isInTime(state, hours, tx.now))
    throw new Problem('student_area.late', {
      detail: `${lessThanHours(hours)} para a aula. Envie um pedido ao seu personal.`,
    });
}

/** The free time to which a session is moved, with the session's length. */
export async function periodFor(tx: CommandTransaction, state: KnownSession, inicio: string) {
  if (state.grupo_id !== null)
    throw new Problem('student_area.shared', { detail: 'Fale com seu personal para remarcar.' });
  const settings = await tx.load(studentBooking, tx.context.tenantId);
  const duracao_min = (Date.parse(state.fim) - Date.parse(state.inicio)) / 60_000;
  const wanted = { inicio, location_id: state.location_id };
  return freePeriod(tx, { ...settings, duracao_min }, wanted, state.session_id);
}

/** 409 on the days of the student's pause: only the trainer books then. */
export async function refusePaused(tx: CommandTransaction, inicio: string): Promise<void> {
  const { studentId, timezone } = tx.context;
  const pause = await tx.load(studentPause, studentId!);
  if (!pause || !isPausedOn(pause, dateOf(inicio, timezone))) return;
  const detail = `Pausado até ${shortDate(pause.ate)}. Para voltar antes, fale com seu personal.`;
  throw new Problem('student_area.paused', { detail });
}

/** The free time that begins at `inicio`. There is none for a student whom the trainer has blocked. */
export async function freePeriod(
  tx: CommandTransaction,
  settings: BookingSettings,
  { inicio, location_id }: NewOwnSession,
  ...own: readonly string[]
) {
  await refusePaused(tx, inicio);
  const { bloqueados } = await tx.load(publicLink, tx.context.tenantId);
  const limits = limitsOf(settings);
  const starts = await freeStarts(tx, limits, location_id, ...own);
  return refuseTaken(starts, inicio, limits, bloqueados.includes(tx.context.studentId!));
}

const offersAt = defineLookUp<{ wait_id: string }, [inicio: string, fim: string, now: Date]>(
  `select wait_id from waitlist_offers
  where tenant_id = $1 and inicio < $3::timestamptz and fim > $2::timestamptz and ate > $4 limit 1`,
);

/** 409 for a time that meanwhile is offered to somebody on the waitlist. */
export async function refuseOffered(tx: CommandTransaction, { inicio, fim }: Period): Promise<void> {
  const [offer] = await tx.lookUp(offersAt, inicio, fim, tx.now);
  if (offer) throw new Problem('student_area.cannot_undo', { detail: 'Este horário não está mais livre.' });
}
