import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { Span } from '../../platform/local-time.js';
import { timeOf } from '../../platform/portuguese.js';
import { busyElsewhere } from '../other-calendar/busy-words.js';
import { cancel, loadSession, reopen, reschedule } from './agenda.commands.js';
import { groupedIn, loadAccount, loadTerms } from './session.loads.js';
import { loadBusy, loadOtherBusy, loadRules } from './session-times.loads.js';
import { firstStart } from './session-times.loads.js';
import { type KnownSession, type Period, session } from '../sessions/session.js';

/** Cancels, moves and restores the sessions of a vacation: many at once, in the transaction of the command. */

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

/** The new time of a session. */
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
    ...{ session_id, from: Date.parse(inicio), to: Date.parse(fim) },
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

/** Cancels scheduled sessions at no cost. */
export async function cancelAll(tx: CommandTransaction, sessions: readonly KnownSession[]): Promise<void> {
  await Promise.all(sessions.map((state) => loadTerms(tx, state)));
  await loadAccounts(tx, sessions);
  for (const state of sessions) await cancel(tx, state, { motivo: 'personal' });
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
  const students = [...new Set(sessions.map(({ student_id }) => student_id))];
  await Promise.all(students.map((id) => loadAccount(tx, id)));
}
