import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { type Away, pausesOf, studentPause } from './student-pause.js';
import { activeVacations, daysAway, vacationCalendar } from './vacation.js';

/** The days on which a student is away: pauses and vacations that are not over, and former pauses. */
export async function loadAway(tx: CommandTransaction, student_id: string): Promise<Away[]> {
  const [state, calendar] = await Promise.all([
    tx.load(studentPause, student_id),
    tx.load(vacationCalendar, tx.context.tenantId),
  ]);
  return [...pausesOf(state), ...daysAway(activeVacations(calendar))];
}
