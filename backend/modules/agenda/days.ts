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

interface CurrentDays {
  day: Span;
  week: Span;
}

const current = new Map<string, CurrentDays>();

/** Day and week that contain `at` in the zone. Cached by zone and day, because computing them takes as long as reading the sessions. */
export function daysAt(at: Date, timezone: string): CurrentDays {
  let days = current.get(timezone);
  if (!days || at < days.day.from || at >= days.day.to) {
    days = { day: dayOf(at, timezone), week: weekOf(at, timezone) };
    current.set(timezone, days);
  }
  return days;
}

const plain = (date: Date) => new Date(date.getTime());
