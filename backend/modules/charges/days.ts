import { differenceInCalendarDays, parseISO } from 'date-fns';

/** Number of days from one calendar date to another. */
const daysBetween = (from: string, to: string): number =>
  differenceInCalendarDays(parseISO(to), parseISO(from));

/** Days from the due date on which a student is reminded. */
const LADDER = [-3, 0, 3, 7] as const;
/** Days after the last step after which no reminder is prepared. */
const LAST_DAYS = 7;

/** The current step of the ladder for a charge; null before the first, and once the last is long past. */
export function stepOf(vencimento: string, today: string): number | null {
  const late = daysBetween(vencimento, today);
  if (late > LADDER.at(-1)! + LAST_DAYS) return null;
  return LADDER.findLast((step) => step <= late) ?? null;
}
