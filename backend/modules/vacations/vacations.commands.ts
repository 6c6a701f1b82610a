import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { firstName, weekdayAndTime } from '../../platform/portuguese.js';
import { inTurns } from '../../platform/turns.js';
import {
  cancelAll,
  moveAll,
  type NewTime,
  timesTaken,
  reopenAll,
  scheduledIn,
  sessionsById,
} from '../agenda/sessions-bulk.commands.js';
import { firstStart, loadRules } from '../agenda/session-times.loads.js';
import { TIMES_AT_ONCE } from '../agenda/obstacles.queries.js';
import type { KnownSession } from '../sessions/session.js';
import { availability } from '../availability/availability.js';
import { type OpenRules, vacationSpan, closedAt } from '../availability/free-times.js';
import { creditAccount, daysMoved, decideMove } from '../credits/credit-account.js';
import { type Away, pausesOf, studentPause } from '../away/student-pause.js';
import { mostDays } from '../credits/deadlines.js';
import {
  activeVacations,
  decideActivate,
  decideRemove,
  decideRestore,
  decideUndo,
  daysAway,
  type ExtendedCredits,
  type MovedSession,
  vacation,
  type VacationEffects,
  vacationCalendar,
} from '../away/vacation.js';
import { daysOf, MOST_SESSIONS, type NewVacation, type VacationPreviewQuery } from './vacations.api.js';
import { daysLater, type Span } from '../../platform/local-time.js';

/** Students who have or had credits: one that a session holds may come back. */
const withCredits = defineLookUp<{ student_id: string }, []>(
  'select distinct student_id from credit_lots where tenant_id = $1',
);

/**
 * Blocks the days, cancels or moves sessions in them as decided, and extends current credits by the number of days: all or
 * nothing.
 */
export const ActivateVacation = defineCommand('ActivateVacation', async (tx, wanted: NewVacation) => {
  const { start_date, end_date, description = null } = wanted;
  const { tenantId, timezone } = tx.context;
  const vacation_id = randomUUID();
  const span = vacationSpan({ start_date, end_date }, timezone);
  const calendar = await tx.load(vacationCalendar, tenantId);
  const activated = decideActivate(calendar, { vacation_id, start_date, end_date, description });
  const hit = await scheduledIn(tx, span, MOST_SESSIONS + 1);
  refuseUndecided(hit, wanted);
  tx.append(vacationCalendar, tenantId, activated);

  const chosen = (ids: readonly string[]) => hit.filter(({ session_id }) => ids.includes(session_id));
  const movidas = await move(tx, chosen(wanted.mover), wanted.semanas ?? 0);
  const cancelled = chosen(wanted.cancelar);
  await cancelAll(tx, cancelled);
  const dias = daysOf(start_date, end_date);
  const { creditos, firstExpiry } = await extendCredits(
    tx,
    { vacation_id, start_date, end_date },
    daysAway(calendar),
  );

  const effects = { canceladas: cancelled.map(({ session_id }) => session_id), movidas, creditos, dias };
  const times = [
    ...cancelled.map(({ inicio }) => inicio),
    ...movidas.map(({ inicio_antes }) => inicio_antes),
  ];
  const desfazer_ate = [...times, ...(firstExpiry ? [firstExpiry] : [])].toSorted()[0] ?? null;
  tx.append(vacation, vacation_id, [
    { type: 'VacationApplied', data: { vacation_id, ...effects, desfazer_ate } },
  ]);
  return {
    id: vacation_id,
    canceladas: cancelled.length,
    movidas: movidas.length,
    creditos: creditos.length,
  };
});

/** 409 if the sessions in these days are not exactly those that were decided on. */
function refuseUndecided(hit: readonly KnownSession[], { cancelar, mover, manter }: NewVacation): void {
  refuseTooMany(hit.length);
  const decided = [...cancelar, ...mover, ...manter];
  const isSame =
    decided.length === hit.length &&
    new Set(decided).size === hit.length &&
    hit.every(({ session_id }) => decided.includes(session_id));
  if (!isSame)
    throw new Problem('vacations.sessions_changed', {
      detail: 'As sessões desses dias mudaram enquanto você decidia. Confira a lista de novo.',
    });
}

async function move(
  tx: CommandTransaction,
  sessions: readonly KnownSession[],
  weeks: number,
): Promise<MovedSession[]> {
  const { timezone } = tx.context;
  const moved = sessions.map(({ session_id, inicio, fim }) => {
    const { from, to } = weeksLater({ inicio, fim }, weeks, timezone);
    const target = { inicio: new Date(from).toISOString(), fim: new Date(to).toISOString() };
    return { session_id, ...target, inicio_antes: inicio, fim_antes: fim };
  });
  const { taken, shared } = await timesTaken(tx, moved);
  const { horarios, excecoes } = await tx.load(availability, tx.context.tenantId);
  const vacations = activeVacations(await tx.load(vacationCalendar, tx.context.tenantId));
  const rules = { rules: horarios, exceptions: excecoes, vacations, zone: timezone };
  const impeded = await notFree(moved, taken, rules);
  if (impeded.length > 0)
    throw new Problem('vacations.sessions_changed', {
      detail: 'Há sessões que não cabem no novo horário. Confira a lista de novo.',
      session_ids: impeded.map(({ session_id }) => session_id),
    });
  await moveAll(tx, moved, shared);
  return moved;
}

/** Those of these sessions whose time is taken or closed. */
async function notFree<Of extends NewTime>(
  times: readonly Of[],
  taken: ReadonlyMap<string, unknown>,
  rules: OpenRules,
): Promise<Of[]> {
  const found = await inTurns(times, TIMES_AT_ONCE, (time) => {
    const span = { from: Date.parse(time.inicio), to: Date.parse(time.fim) };
    return taken.has(time.session_id) || closedForMoves(span, rules) !== undefined ? [time] : [];
  });
  return found.flat();
}

/** A student with credits, and the days on which only that student is away. */
async function loadAccounts(tx: CommandTransaction, students: readonly string[]) {
  return Promise.all(
    students.map(async (student_id) => {
      const [account, pause] = await Promise.all([
        tx.load(creditAccount, student_id),
        tx.load(studentPause, student_id),
      ]);
      return { student_id, account, pauses: pausesOf(pause) };
    }),
  );
}

/** What activating a vacation would do to credits, apart from its sessions. */
export async function announceCredits(
  tx: CommandTransaction,
  { start_date, end_date }: VacationPreviewQuery,
) {
  const others = daysAway(await tx.load(vacationCalendar, tx.context.tenantId));
  const vacation_id = randomUUID();
  const { creditos, days } = await extendCredits(tx, { vacation_id, start_date, end_date }, others);
  return { alunos_com_creditos: creditos.length, ...mostDays(days) };
}

/** Accounts that are extended in one turn of the event loop: a few milliseconds. */
const ACCOUNTS_AT_ONCE = 20;

/**
 * Extends the lots that live through days of the vacation. `firstExpiry`: the earliest expiry that was moved; `days`: by how many days
 * each lot with credits moved.
 */
async function extendCredits(
  tx: CommandTransaction,
  { vacation_id, start_date, end_date }: { vacation_id: string; start_date: string; end_date: string },
  others: readonly Away[],
): Promise<{ creditos: ExtendedCredits[]; firstExpiry: string | undefined; days: number[] }> {
  const { now, context } = tx;
  const all = [...others, { desde: start_date, ate: end_date }];
  const dias = daysOf(start_date, end_date);
  const days: number[] = [];
  const students = (await tx.lookUp(withCredits)).map(({ student_id }) => student_id);
  const ends: string[] = [];
  const creditos: ExtendedCredits[] = [];
  await inTurns(await loadAccounts(tx, students), ACCOUNTS_AT_ONCE, ({ student_id, account, pauses }) => {
    const change = { before: [...pauses, ...others], after: [...pauses, ...all] };
    const move = (more: { lotes?: string[] } = {}) =>
      decideMove(
        account,
        { student_id, entry_id: randomUUID(), now },
        { ...change, ...more, vacation_id, timezone: context.timezone },
      );
    const moved = move();
    if (moved === 'expired') return;
    const extended = moved.flatMap((event) => (event.type === 'CreditsExtended' ? [event.data] : []));
    const [first] = extended;
    if (!first) return;
    const lotes = extended.flatMap((data) => data.lotes.map(({ lot_id }) => lot_id));
    // A student whose sessions hold all credits of these lots is not announced, and their older lots, which only `lotes` names, stay.
    if (!account.lots.some(({ lot_id, remaining }) => remaining > 0 && lotes.includes(lot_id))) {
      const newer = move({ lotes: [] });
      if (newer !== 'expired') tx.append(creditAccount, student_id, newer);
      return;
    }
    ends.push(
      ...account.lots.flatMap(({ lot_id, expires_at }) =>
        expires_at !== null && lotes.includes(lot_id) ? [expires_at] : [],
      ),
    );
    tx.append(creditAccount, student_id, moved);
    days.push(...daysMoved(account, now, moved).filter((one) => one > 0));
    const by = extended.length === 1 ? first.dias : null;
    creditos.push({ student_id, lotes, ...(by !== dias && { dias: by }) });
  });
  return { creditos, firstExpiry: ends.toSorted()[0], days };
}

/**
 * Undoes all effects of a vacation, unless later changes contradict that. Times that were only blocked since, or that the other
 * calendar takes, do not: the answer says how many sessions return to such a time.
 */
export const UndoVacation = defineCommand('UndoVacation', async (tx, id: string) => {
  const { tenantId } = tx.context;
  const [calendar, effects] = await Promise.all([tx.load(vacationCalendar, tenantId), tx.load(vacation, id)]);
  const undone = decideUndo(calendar, id);
  if (!effects) throw new Problem('vacations.not_found');
  const { canceladas, movidas } = effects;
  tx.append(vacationCalendar, tenantId, undone);
  const before = daysAway(calendar);

  const cancelled = standing(await sessionsById(tx, canceladas), ({ status }) => status === 'cancelada');
  const targets = new Map(movidas.map((one) => [one.session_id, one]));
  const moved = standing(
    await sessionsById(tx, [...targets.keys()]),
    ({ session_id, status, inicio, fim }) => {
      const target = targets.get(session_id)!;
      return status === 'agendada' && inicio === target.inicio && fim === target.fim;
    },
  );
  const times = [
    ...cancelled.map(({ session_id, inicio, fim }) => ({ session_id, inicio, fim })),
    ...moved.map(({ session_id }) => {
      const { inicio_antes: inicio, fim_antes: fim } = targets.get(session_id)!;
      return { session_id, inicio, fim };
    }),
  ];
  if (times.some(({ inicio }) => Date.parse(inicio) <= tx.now.getTime()))
    throw contradicted('Uma das sessões já teria passado.');
  const { taken, shared } = await timesTaken(tx, times);
  const crowded = times.filter(({ session_id }) => taken.get(session_id)?.session_id);
  const [newer] = await tx.lookUp(
    cameSince,
    ...([id, times.map(({ session_id }) => session_id)] as const),
    ...([crowded.map(({ inicio }) => inicio), crowded.map(({ fim }) => fim)] as const),
  );
  if (newer) throw inTheWay(newer, tx.context.timezone);
  for (const { session_id } of crowded) {
    // Those that stand there since before the vacation shared the time.
    taken.delete(session_id);
    shared.add(session_id);
  }
  const rules = await loadRules(tx);
  const blocked = await notFree(times, taken, rules);
  await reopenAll(tx, cancelled, shared);
  await moveAll(tx, times.slice(cancelled.length), shared);
  await shortenCredits(tx, id, effects, before);
  return { id, bloqueadas: blocked.length };
});

/** The first session at these times, from `$4` to `$5`, that came there after the vacation was activated, except `$3`. */
const cameSince = defineLookUp<
  { nome: string | null; inicio: Date },
  [vacationId: string, except: readonly string[], from: readonly string[], to: readonly string[]]
>(
  `select m.inicio, st.nome from unnest($4::timestamptz[], $5::timestamptz[]) as moved(inicio, fim)
    join session_slot_members m on m.tenant_id = $1 and m.inicio < moved.fim and m.fim > moved.inicio
      and m.inicio >= ${firstStart('moved.inicio')} and m.session_id <> all($3::uuid[])
    left join sessions s on s.tenant_id = m.tenant_id and s.id = m.session_id
    left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
  where (
      select max(position) from events where tenant_id = $1 and stream_id = 'session:' || m.session_id
        and type in ('SessionBooked', 'SessionRescheduled', 'SessionReopened', 'SessionRestored')
    ) > (select position from events where tenant_id = $1 and stream_id = 'vacation:' || $2::text and version = 1)
  order by m.inicio limit 1`,
);

/** 409 that names the session which takes the time of one that would return. */
function inTheWay({ nome, inicio }: { nome: string | null; inicio: Date }, timezone: string): Problem {
  const who = nome === null ? 'Já há sessão' : `${firstName(nome)} já tem sessão`;
  const when = weekdayAndTime(inicio, timezone);
  return contradicted(`${who} em ${when}, no horário de uma das sessões que voltariam.`);
}

/** The sessions; 409 if one has changed since the vacation was activated. */
function standing(
  sessions: readonly (KnownSession | undefined)[],
  isAsLeft: (state: KnownSession) => boolean,
): KnownSession[] {
  return sessions.map((state) => {
    if (!state || state.deleted || !isAsLeft(state))
      throw contradicted('Uma das sessões foi alterada depois.');
    return state;
  });
}

async function shortenCredits(
  tx: CommandTransaction,
  vacation_id: string,
  { creditos }: VacationEffects,
  others: readonly Away[],
): Promise<void> {
  const { now, context } = tx;
  const rest = daysAway(await tx.load(vacationCalendar, context.tenantId));
  // A lot may be another student's by now, into whom its student was merged.
  const lotes = creditos.flatMap((extended) => extended.lotes);
  const students = (await tx.lookUp(withCredits)).map(({ student_id }) => student_id);
  for (const { student_id, account, pauses } of await loadAccounts(tx, students)) {
    const change = { before: [...pauses, ...others], after: [...pauses, ...rest] };
    const events = decideMove(
      account,
      { student_id, entry_id: randomUUID(), now },
      { ...change, lotes, vacation_id, timezone: context.timezone },
    );
    if (events === 'expired') throw contradicted('Há créditos que já teriam vencido.');
    tx.append(creditAccount, student_id, events);
  }
}

const contradicted = (why: string) =>
  new Problem('vacations.cannot_undo', {
    detail: `${why} Você ainda pode remover o período e ajustar a agenda à mão.`,
  });

/** Unblocks the days; sessions and credits do not change. */
export const RemoveVacation = defineCommand('RemoveVacation', async (tx, id: string) => {
  const { tenantId } = tx.context;
  tx.append(vacationCalendar, tenantId, decideRemove(await tx.load(vacationCalendar, tenantId), id));
  return { id };
});

/** Undoes a removal. */
export const RestoreVacation = defineCommand('RestoreVacation', async (tx, id: string) => {
  const { tenantId } = tx.context;
  tx.append(vacationCalendar, tenantId, decideRestore(await tx.load(vacationCalendar, tenantId), id));
  return { id };
});

/** A session's times a number of weeks later, with the same local time and length. */
export function weeksLater(
  { inicio, fim }: { inicio: string; fim: string },
  weeks: number,
  timezone: string,
): Span {
  const from = daysLater(Date.parse(inicio), weeks * 7, timezone);
  return { from, to: from + Date.parse(fim) - Date.parse(inicio) };
}

/** Why a session cannot be moved to a time, apart from other sessions. Times outside of working hours are allowed. */
export function closedForMoves(span: Span, rules: OpenRules): 'vacation' | 'blocked' | undefined {
  const reason = closedAt(span, rules)?.reason;
  return reason === 'outside' ? undefined : reason;
}

/** Checked both in the preview and in the command, which is limited to this number of sessions. */
export function refuseTooMany(sessions: number): void {
  if (sessions <= MOST_SESSIONS) return;
  const most = MOST_SESSIONS.toLocaleString('pt-BR');
  throw new Problem('vacations.too_many_sessions', {
    detail: `São mais de ${most} sessões. Divida as férias em períodos menores.`,
  });
}
