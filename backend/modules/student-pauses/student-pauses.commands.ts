import { randomUUID } from 'node:crypto';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../availability/dates.js';
import { creditAccount, decideExtend, lotsRunning } from '../credits/credit-account.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { decidePause, decideResume, pausedUntil, studentPause } from './student-pause.js';
import type { PauseChange } from './student-pauses.api.js';

export const PauseStudent = defineCommand(
  'PauseStudent',
  async (tx, student_id: string, { ate, se_ainda }: PauseChange) => {
    const today = todayOf(tx);
    const [owner, account, state] = await Promise.all([
      tx.load(student, student_id),
      tx.load(creditAccount, student_id),
      tx.load(studentPause, student_id),
    ]);
    if (ate === null) existingStudent(owner);
    else activeStudent(owner);
    refuseChanged('A pausa', { ate: pausedUntil(state, today) }, se_ainda);
    if (ate === null) return pause(tx, student_id, decideResume(state, student_id, today));
    const around = { today, running: lotsRunning(account, tx.now, tx.now) };
    return pause(tx, student_id, decidePause(state, { student_id, ate }, around));
  },
);

/** The last day of the current pause; null if there is none. */
export async function loadPausedUntil(tx: CommandTransaction, student_id: string): Promise<string | null> {
  return pausedUntil(await tx.load(studentPause, student_id), todayOf(tx));
}

const todayOf = ({ now, context }: CommandTransaction) => dateOf(now, context.timezone);

/** Records the change, and moves the expiry of the credits by as many days. */
async function pause(
  tx: CommandTransaction,
  student_id: string,
  { events, lotes, dias }: ReturnType<typeof decidePause>,
) {
  tx.append(studentPause, student_id, events);
  const extended = decideExtend(
    await tx.load(creditAccount, student_id),
    { student_id, entry_id: randomUUID(), now: tx.now },
    { dias, lotes, vacation_id: null, timezone: tx.context.timezone },
  );
  if (extended === 'expired') throw new Problem('student_pauses.expired');
  tx.append(creditAccount, student_id, extended);
  return { id: student_id };
}
