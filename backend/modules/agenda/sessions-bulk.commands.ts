import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { Span } from '../../platform/local-time.js';
import { timeOf } from '../../platform/portuguese.js';
import { inTurns } from '../../platform/turns.js';
import { closedAt } from '../availability/free-times.js';
import { busyElsewhere } from '../other-calendar/busy-words.js';
import { cancel, loadSession, reopen, reschedule } from './agenda.commands.js';
import { groupedIn, loadAccount } from './session.loads.js';
import type { Cancellation } from './session.settlement.js';
import { loadBusy, loadOtherBusy, loadRules } from './session-times.loads.js';
import { firstStart } from './session-times.loads.js';
import { sessionDetails } from './session-ways.loads.js';
import { TIMES_AT_ONCE } from './obstacles.queries.js';
import { type KnownSession, type Period, session } from '../sessions/session.js';

/** Cancels, moves and restores many sessions at once, in the transaction of the command: of a vacation, a pause, a group. */

const membersIn = defineLookUp<{ session_id: string }, [from: Date, to: Date, most: number]>(
  `select m.session_id from session_slot_members m
  where m.tenant_id = $1 and m.inicio < $3 and m.fim > $2 and m.inicio >= ${firstStart('$2')}
  order by m.inicio, m.session_id limit $4`,
);

/** Scheduled sessions that overlap a time and have not begun, by start. Reads at most `most` sessions. */
export async function scheduledIn(
  tx: CommandTransaction,
  { from, to }: Span,
  most: number,
): Promise<KnownSession[]> {
  const members = await tx.lookUp(membersIn, new Date(Math.max(from, tx.now.getTime())), new Date(to), most);
  const sessions = await Promise.all(members.map(({ session_id }) => loadSession(tx, session_id)));
  return sessions.filter(
    ({ status, inicio }) => status === 'agendada' && Date.parse(inicio) > tx.now.getTime(),
  );
}

/** Sessions from `$3` to `$4` that belong, or once belonged, to the student `$2`. */
const membersOfStudent = defineLookUp<
  { session_id: string },
  [studentId: string, after: Date, before: Date | null]
>(
  `select m.session_id from session_slot_members m
  where m.tenant_id = $1 and m.inicio > $3 and m.inicio < coalesce($4::timestamptz, 'infinity') and exists (
    select from ${sessionDetails} e where e.tenant_id = m.tenant_id and e.stream_id = 'session:' || m.session_id
      and e.data->>'student_id' = $2 offset 0) order by m.inicio, m.session_id`,
);

/** A student's scheduled sessions that begin after now, and before an instant if one is given, by start. */
export async function comingOf(
  tx: CommandTransaction,
  studentId: string,
  before?: number,
): Promise<KnownSession[]> {
  const end = before === undefined ? null : new Date(before);
  const members = await tx.lookUp(membersOfStudent, studentId, tx.now, end);
  const sessions = await Promise.all(members.map(({ session_id }) => loadSession(tx, session_id)));
  return sessions.filter(({ student_id, status }) => student_id === studentId && status === 'agendada');
}

export interface NewTime extends Period {
  session_id: string;
}

/** What takes a time: another session, or the other calendar (`session_id` is null). */
interface Taking {
  session_id: string | null;
  words: string;
}

/**
 * The times that are taken, each with what takes it: a session that is neither among these nor of their hour, or the other
 * calendar. `shared`: times that overlap another one of these, such as those of a duo.
 */
export async function timesTaken(
  tx: CommandTransaction,
  times: readonly NewTime[],
): Promise<{ taken: Map<string, Taking>; shared: Set<string> }> {
  const spans = times.map(({ session_id, inicio, fim }) => ({
    session_id,
    from: Date.parse(inicio),
    to: Date.parse(fim),
  }));
  if (spans.length === 0) return { taken: new Map(), shared: new Set() };
  const [from, to] = [Math.min(...spans.map((one) => one.from)), Math.max(...spans.map((one) => one.to))];
  const own = new Set(spans.map(({ session_id }) => session_id));
  const groups = new Map(
    (await sessionsById(tx, [...own])).map((one) => [one?.session_id, one?.grupo_id ?? null]),
  );
  const grouped = await groupedIn(tx, [...groups.values()]);
  const others = (await loadBusy(tx, from, to)).flatMap(([id, start, end]) =>
    own.has(id) ? [] : [{ session_id: id, from: start, to: end, grupo_id: grouped.get(id) }],
  );
  const elsewhere = await loadOtherBusy(tx, await loadRules(tx), from, to);
  const meets = (one: Span, other: Span) => one.from < other.to && other.from < one.to;
  const taken = new Map<string, Taking>();
  const shared = new Set<string>();
  const { timezone } = tx.context;
  for (const span of spans) {
    const grupo_id = groups.get(span.session_id);
    const isMate = (one: (typeof others)[number]) =>
      Boolean(grupo_id) && one.grupo_id === grupo_id && one.from === span.from;
    const other = others.find((one) => meets(one, span) && !isMate(one));
    if (other)
      taken.set(span.session_id, {
        session_id: other.session_id,
        words: `Já há sessão das ${timeOf(new Date(other.from), timezone)} às ${timeOf(new Date(other.to), timezone)}`,
      });
    const busy = elsewhere.find((one) => meets(one, span));
    if (busy && !other)
      taken.set(span.session_id, { session_id: null, words: busyElsewhere(busy, timezone) });
    if (spans.some((one) => one !== span && meets(one, span))) shared.add(span.session_id);
  }
  return { taken, shared };
}

/** Cancels scheduled sessions by the trainer, or as the trainer has set for a class with too few. Returns their new states. */
export async function cancelAll(
  tx: CommandTransaction,
  sessions: readonly KnownSession[],
  minimum: Pick<Cancellation, 'sem_minimo'> = {},
): Promise<KnownSession[]> {
  await loadAccounts(tx, sessions);
  const cancelled: KnownSession[] = [];
  for (const state of sessions) cancelled.push(await cancel(tx, state, { motivo: 'personal', ...minimum }));
  return cancelled;
}

/** Moves sessions to times that were checked to be free. */
export async function moveAll(
  tx: CommandTransaction,
  times: readonly NewTime[],
  shared: ReadonlySet<string>,
): Promise<void> {
  for (const { session_id, inicio, fim } of times)
    await reschedule(tx, await loadSession(tx, session_id), { inicio, fim }, shared.has(session_id));
}

interface Newcomer extends Record<string, unknown> {
  /** The cancelled session. */
  returning: string;
  /** Of the student of the other one: null while the read tables are behind, or if the person was forgotten. */
  nome: string | null;
  inicio: Date;
}

/** The sessions that came to the times of these cancelled sessions after they were cancelled, by start. */
const cameSince = defineLookUp<
  Newcomer,
  [ids: readonly string[], from: readonly string[], to: readonly string[]]
>(
  `select r.id as returning, st.nome, m.inicio
  from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) as r(id, inicio, fim)
    join session_slot_members m on m.tenant_id = $1 and m.inicio < r.fim and m.fim > r.inicio
      and m.inicio >= ${firstStart('r.inicio')}
    left join sessions s on s.tenant_id = m.tenant_id and s.id = m.session_id
    left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
  where (
      select max(position) from events where tenant_id = $1 and stream_id = 'session:' || m.session_id
        and type in ('SessionBooked', 'SessionRescheduled', 'SessionReopened', 'SessionRestored')
    ) > (
      select max(position) from events where tenant_id = $1 and stream_id = 'session:' || r.id
        and type = 'SessionCancelled'
    )
  order by m.inicio`,
);

/**
 * Which of these cancelled sessions can return to their times, and the first obstacle for another one: a session that came there
 * since, or a vacation (without start). Times that were only blocked since do not count. `shared`: those that overlap others, which
 * stand there since before.
 */
export async function stillFree(
  tx: CommandTransaction,
  sessions: readonly KnownSession[],
): Promise<{
  free: KnownSession[];
  shared: ReadonlySet<string>;
  obstacle: { nome: string | null; inicio: Date | null } | undefined;
}> {
  if (sessions.length === 0) return { free: [], shared: new Set(), obstacle: undefined };
  const { taken, shared } = await timesTaken(tx, sessions);
  const crowded = sessions.filter(({ session_id }) => taken.get(session_id)?.session_id);
  const newcomers = await tx.lookUp(
    cameSince,
    crowded.map(({ session_id }) => session_id),
    crowded.map(({ inicio }) => inicio),
    crowded.map(({ fim }) => fim),
  );
  const late = new Set(newcomers.map(({ returning }) => returning));
  const rules = await loadRules(tx);
  const onVacation = await inTurns(sessions, TIMES_AT_ONCE, ({ session_id, inicio, fim }) => {
    const closed = closedAt({ from: Date.parse(inicio), to: Date.parse(fim) }, rules);
    return closed?.reason === 'vacation' ? session_id : undefined;
  });
  return {
    free: sessions.filter(({ session_id }) => !late.has(session_id) && !onVacation.includes(session_id)),
    shared: new Set([...shared, ...crowded.map(({ session_id }) => session_id)]),
    obstacle: newcomers[0] ?? (onVacation.some(Boolean) ? { nome: null, inicio: null } : undefined),
  };
}

/** Schedules cancelled sessions again at their former times. */
export async function reopenAll(
  tx: CommandTransaction,
  sessions: readonly KnownSession[],
  shared: ReadonlySet<string>,
): Promise<void> {
  await loadAccounts(tx, sessions);
  for (const state of sessions) await reopen(tx, state, shared.has(state.session_id));
}

/** Current states of sessions, including cancelled and deleted ones; undefined for an unknown id. */
export const sessionsById = (tx: CommandTransaction, ids: readonly string[]) =>
  Promise.all(ids.map((id) => tx.load(session, id)));

/**
 * Loads the credit accounts of all students in one round trip, so that settling the sessions needs no further reads of
 * them.
 */
async function loadAccounts(tx: CommandTransaction, sessions: readonly KnownSession[]): Promise<void> {
  const students = new Map(sessions.map(({ student_id, session_id }) => [student_id, session_id]));
  await Promise.all([...students].map(([student_id, session_id]) => loadAccount(tx, student_id, session_id)));
}
