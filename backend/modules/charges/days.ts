import { differenceInCalendarDays, parseISO } from 'date-fns';

/** Days from one calendar date to another. */
const daysBetween = (from: string, to: string): number =>
  differenceInCalendarDays(parseISO(to), parseISO(from));

/** Days from the due date on which a student is reminded. */
const LADDER = [-3, 0, 3, 7] as const;
/** So long after the last step nobody is reminded by itself any more. */
const LAST_DAYS = 7;

/** The step of the ladder on which a charge stands; null before the first, and once the last is long past. */
export function stepOf(vencimento: string, today: string): number | null {
  const late = daysBetween(vencimento, today);
  if (late > LADDER.at(-1)! + LAST_DAYS) return null;
  return LADDER.findLast((step) => step <= late) ?? null;
}
