import { randomUUID } from 'node:crypto';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { firstName, weekdayAndTime } from '../../platform/portuguese.js';
import { cancelAll, comingOf, reopenAll, sessionsById, stillFree } from '../agenda/sessions-bulk.commands.js';
import { vacationSpan } from '../availability/free-times.js';
import { freshLink } from '../charges/charges.commands.js';
import type { ChargeLink } from '../charges/charge.js';
import { billLate } from '../charges/monthly-plans.commands.js';
import { creditAccount, type CreditState, daysMoved, decideMove } from '../credits/credit-account.js';
import type { KnownSession } from '../sessions/session.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { daysAway, vacationCalendar } from '../away/vacation.js';
import {
  decidePause,
  decideResume,
  isPausedOn,
  pausedUntil,
  pausesOf,
  type KnownPause,
  studentPause,
} from '../away/student-pause.js';
import type { PauseChange } from './student-pauses.api.js';

export const PauseStudent = defineCommand(
  'PauseStudent',
  { tokens: LinkTokens },
  async (tx, { tokens }, student_id: string, change: PauseChange) => {
    const { canceladas, reabertas, fora, mudanca_id } = await pause(tx, { student_id, ...change }, () =>
      freshLink(tokens),
    );
    const starts = (sessions: readonly KnownSession[]) => sessions.map(({ inicio }) => inicio).toSorted();
    const done = { canceladas: starts(canceladas), reabertas: starts(reabertas), fora };
    return { id: student_id, mudanca_id, ...done };
  },
);

type LastChange = NonNullable<KnownPause['ultima']>;
type PauseOfSessions = Pick<KnownPause, 'canceladas' | 'sem_sessoes_ate'> | undefined;
type Wanted = { student_id: string } & PauseChange;

/** What a change of a pause does with sessions. `fora`: how many do not come back with its end. */
interface Effects {
  canceladas: readonly KnownSession[];
  reabertas: readonly KnownSession[];
  fora: number;
  sem_sessoes_ate: string | null;
}

/**
 * Pauses a student, or ends the pause. Overdue months are billed first, by the days that were paused until now. Returns by how many
 * days each of the student's credits moves, and what happens to sessions.
 */
export async function pause(
  tx: CommandTransaction,
  wanted: Wanted,
  freshLink: () => ChargeLink,
): Promise<Effects & { dias: number[]; mudanca_id: string | null }> {
  const { student_id, ate, se_ainda } = wanted;
  const today = todayOf(tx);
  const [owner, account, state] = await Promise.all([
    tx.load(student, student_id),
    tx.load(creditAccount, student_id),
    tx.load(studentPause, student_id),
  ]);
  if (ate === null) existingStudent(owner);
  else activeStudent(owner);
  refuseChanged('A pausa', { ate: pausedUntil(state, today) }, se_ainda);
  const current = isPausedOn(state, today) ? state : undefined;
  const effects = await (wanted.mudanca_id === undefined
    ? changeSessions(tx, wanted, current)
    : takeBack(tx, wanted, state?.ultima));
  const cancelamento = recorded(effects, current);
  const events =
    ate === null
      ? decideResume(state, { student_id, cancelamento }, today)
      : decidePause(state, { student_id, ate, cancelamento }, { today, running: running(account, tx.now) });
  await billLate(tx, student_id, freshLink);
  const before = pausesOf(state);
  tx.append(studentPause, student_id, events);
  const after = pausesOf(await tx.load(studentPause, student_id));
  const vacations = daysAway(await tx.load(vacationCalendar, tx.context.tenantId));
  const moved = decideMove(
    account,
    { student_id, entry_id: randomUUID(), now: tx.now },
    {
      before: [...before, ...vacations],
      after: [...after, ...vacations],
      vacation_id: null,
      timezone: tx.context.timezone,
    },
  );
  if (moved === 'expired') throw new Problem('student_pauses.expired');
  tx.append(creditAccount, student_id, moved);
  const mudanca_id = events.length > 0 ? (cancelamento?.mudanca_id ?? null) : null;
  return { ...effects, dias: daysMoved(account, tx.now, moved), mudanca_id };
}

/** What the event says of sessions; undefined where the pause keeps them, as before. */
function recorded({ canceladas, reabertas, sem_sessoes_ate }: Effects, current: PauseOfSessions) {
  const isSame = sem_sessoes_ate === null && (current?.sem_sessoes_ate ?? null) === null;
  if (isSame && canceladas.length + reabertas.length === 0) return undefined;
  const ids = (sessions: readonly KnownSession[]) => sessions.map(({ session_id }) => session_id);
  const done = { canceladas: ids(canceladas), reabertas: ids(reabertas) };
  return { mudanca_id: randomUUID(), sem_sessoes_ate, ...done };
}

/** The student's scheduled sessions from now on to the end of a day. */
export const sessionsUntil = (tx: CommandTransaction, student_id: string, ate: string) =>
  comingOf(tx, student_id, endOf(ate, tx));

/**
 * Cancels the sessions in the pause if it is to leave none there. Those that the pause had cancelled and that are after its new end
 * come back, unless their time was taken or they were changed since.
 */
async function changeSessions(
  tx: CommandTransaction,
  wanted: Wanted,
  current: PauseOfSessions,
): Promise<Effects> {
  const { student_id, ate, sessoes } = wanted;
  const end = ate === null ? tx.now.getTime() : endOf(ate, tx);
  const known = await sessionsById(tx, current?.canceladas ?? []);
  const later = known.filter((one) => one !== undefined && Date.parse(one.inicio) >= end);
  const { free, shared } = await stillFree(tx, later.filter(isAsLeft(student_id)));
  await reopenAll(tx, free, shared);
  const canceladas = ate !== null && sessoes === 'cancelar' ? await sessionsUntil(tx, student_id, ate) : [];
  await cancelAll(tx, canceladas);
  return {
    canceladas,
    reabertas: free,
    fora: later.length - free.length,
    sem_sessoes_ate: withoutSessions(current?.sem_sessoes_ate ?? null, wanted),
  };
}

function withoutSessions(before: string | null, { ate, sessoes }: Wanted): string | null {
  if (ate === null || sessoes === 'cancelar') return ate;
  return before !== null && before > ate ? ate : before;
}

/** Undoes what the last change of the pause did with sessions: all of it, or nothing. */
async function takeBack(
  tx: CommandTransaction,
  { student_id, mudanca_id }: Wanted,
  last: LastChange | null | undefined,
): Promise<Effects> {
  if (!last || last.mudanca_id !== mudanca_id) throw contradicted('A pausa mudou depois disso.');
  const [cancelled, reopened] = await Promise.all([
    sessionsById(tx, last.canceladas),
    sessionsById(tx, last.reabertas),
  ]);
  const back = cancelled.filter(isAsLeft(student_id));
  const gone = reopened.filter(isScheduled(student_id));
  if (back.length + gone.length < cancelled.length + reopened.length)
    throw contradicted('Uma das sessões foi alterada depois.');
  if ([...back, ...gone].some(({ inicio }) => Date.parse(inicio) <= tx.now.getTime()))
    throw contradicted('Uma das sessões já teria passado.');
  const { free, shared, obstacle } = await stillFree(tx, back);
  if (obstacle) throw contradicted(inTheWay(obstacle, tx.context.timezone));
  await reopenAll(tx, free, shared);
  await cancelAll(tx, gone);
  return { canceladas: gone, reabertas: free, fora: 0, sem_sessoes_ate: last.sem_sessoes_antes };
}

const isAsLeft =
  (student_id: string) =>
  (one: KnownSession | undefined): one is KnownSession =>
    one?.status === 'cancelada' && one.motivo === 'personal' && isOf(student_id, one);

const isScheduled =
  (student_id: string) =>
  (one: KnownSession | undefined): one is KnownSession =>
    one?.status === 'agendada' && isOf(student_id, one);

const isOf = (student_id: string, one: KnownSession) => !one.deleted && one.student_id === student_id;

function inTheWay({ nome, inicio }: { nome: string | null; inicio: Date | null }, timezone: string): string {
  if (inicio === null) return 'Há férias em um dos dias das sessões que voltariam.';
  const who = nome === null ? 'Já há sessão' : `${firstName(nome)} já tem sessão`;
  return `${who} em ${weekdayAndTime(inicio, timezone)}, no horário de uma das sessões que voltariam.`;
}

const contradicted = (why: string) =>
  new Problem('student_pauses.cannot_undo', {
    detail: `${why} Você ainda pode mudar a pausa e ajustar a agenda à mão.`,
  });

const endOf = (day: string, { context }: CommandTransaction): number =>
  vacationSpan({ start_date: day, end_date: day }, context.timezone).to;

const running = ({ lots }: CreditState, now: Date) =>
  lots.flatMap(({ lot_id, expires_at }) =>
    expires_at !== null && Date.parse(expires_at) > now.getTime() ? [lot_id] : [],
  );

const todayOf = ({ now, context }: CommandTransaction) => dateOf(now, context.timezone);
