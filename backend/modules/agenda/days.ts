import { TZDate } from '@date-fns/tz';
import { addDays, startOfDay, startOfWeek } from 'date-fns';

/** `[from, to)` */
export interface Span {
  from: Date;
  to: Date;
}

/** The day that contains `at` in the zone. It begins with its first instant that exists: not always at 00:00. */
export function dayOf(at: Date, timezone: string): Span {
  const first = startOfDay(new TZDate(at, timezone));
  return { from: plain(first), to: plain(startOfDay(addDays(first, 1))) };
}

/** The week, from Sunday, that contains `at` in the zone. */
export function weekOf(at: Date, timezone: string): Span {
  const first = startOfWeek(new TZDate(at, timezone), { weekStartsOn: 0 });
  return { from: plain(first), to: plain(startOfDay(addDays(first, 7))) };
}

const plain = (date: Date) => new Date(date.getTime());
