import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../availability/dates.js';
import { creditAccount, decideExtend, lotsRunning } from '../credits/credit-account.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { decidePause, decideResume, isPausedOn, studentPause } from './student-pause.js';
import type { NewPause } from './student-pauses.api.js';

export const PauseStudent = defineCommand(
  'PauseStudent',
  async (tx, student_id: string, { ate }: NewPause) => {
    activeStudent(await tx.load(student, student_id));
    const account = await tx.load(creditAccount, student_id);
    const state = await tx.load(studentPause, student_id);
    const around = { today: todayOf(tx), running: lotsRunning(account, tx.now, tx.now) };
    return pause(tx, student_id, decidePause(state, { student_id, ate }, around));
  },
);

export const ResumeStudent = defineCommand('ResumeStudent', async (tx, student_id: string) => {
  existingStudent(await tx.load(student, student_id));
  const state = await tx.load(studentPause, student_id);
  return pause(tx, student_id, decideResume(state, student_id, todayOf(tx)));
});

/** The last day of the current pause; null if there is none. */
export async function loadPausedUntil(tx: CommandTransaction, student_id: string): Promise<string | null> {
  const state = await tx.load(studentPause, student_id);
  return state && isPausedOn(state, todayOf(tx)) ? state.ate : null;
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
