import { randomUUID } from 'node:crypto';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { freshLink } from '../charges/charges.commands.js';
import type { ChargeLink } from '../charges/charge.js';
import { billLate } from '../charges/monthly-plans.commands.js';
import { creditAccount, type CreditState, daysMoved, decideMove } from '../credits/credit-account.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { daysAway, vacationCalendar } from '../away/vacation.js';
import { decidePause, decideResume, pausedUntil, pausesOf, studentPause } from '../away/student-pause.js';
import type { PauseChange } from './student-pauses.api.js';

export const PauseStudent = defineCommand(
  'PauseStudent',
  { tokens: LinkTokens },
  async (tx, { tokens }, student_id: string, change: PauseChange) => {
    await pause(tx, { student_id, ...change }, () => freshLink(tokens));
    return { id: student_id };
  },
);

/**
 * Pauses a student, or ends the pause. Overdue months are billed first, by the days that were paused until now. Returns by how many
 * days each of the student's credits moves.
 */
export async function pause(
  tx: CommandTransaction,
  { student_id, ate, se_ainda }: { student_id: string } & PauseChange,
  freshLink: () => ChargeLink,
): Promise<number[]> {
  const today = todayOf(tx);
  const [owner, account, state] = await Promise.all([
    tx.load(student, student_id),
    tx.load(creditAccount, student_id),
    tx.load(studentPause, student_id),
  ]);
  if (ate === null) existingStudent(owner);
  else activeStudent(owner);
  refuseChanged('A pausa', { ate: pausedUntil(state, today) }, se_ainda);
  const events =
    ate === null
      ? decideResume(state, student_id, today)
      : decidePause(state, { student_id, ate }, { today, running: running(account, tx.now) });
  await billLate(tx, student_id, freshLink);
  const before = pausesOf(state);
  tx.append(studentPause, student_id, events);
  const after = pausesOf(await tx.load(studentPause, student_id));
  const vacations = daysAway(await tx.load(vacationCalendar, tx.context.tenantId));
  const moved = decideMove(
    account,
    { student_id, entry_id: randomUUID(), now: tx.now },
    {
      ...{ before: [...before, ...vacations], after: [...after, ...vacations] },
      ...{ vacation_id: null, timezone: tx.context.timezone },
    },
  );
  if (moved === 'expired') throw new Problem('student_pauses.expired');
  tx.append(creditAccount, student_id, moved);
  return daysMoved(account, tx.now, moved);
}

const running = ({ lots }: CreditState, now: Date) =>
  lots.flatMap(({ lot_id, expires_at }) =>
    expires_at !== null && Date.parse(expires_at) > now.getTime() ? [lot_id] : [],
  );

const todayOf = ({ now, context }: CommandTransaction) => dateOf(now, context.timezone);
