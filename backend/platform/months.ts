import { TZDate } from '@date-fns/tz';
import { addMonths, format, getDaysInMonth, parseISO } from 'date-fns';

/** Work that is due on a day is done from this hour on, in the tenant's time zone. */
const HOUR = 6;

/** Months are represented by their first days, such as `2026-12-01`. */
export const monthAfter = (mes: string, months = 1): string =>
  format(addMonths(parseISO(mes), months), 'yyyy-MM-dd');

export const latestMonth = (...months: readonly string[]): string =>
  months.reduce((latest, mes) => (mes > latest ? mes : latest));

/** The last month in which this day has begun, at 6:00 in the zone. */
export function monthReached(now: Date, timezone: string, day: number): string {
  const local = new TZDate(now, timezone);
  const first = format(local, 'yyyy-MM-01');
  const isEarly = local.getDate() < day || (local.getDate() === day && local.getHours() < HOUR);
  return isEarly ? format(addMonths(parseISO(first), -1), 'yyyy-MM-dd') : first;
}

/** `2026-12-05` for day 5 of December; a day that the month lacks is its last one. */
export const dayOfMonth = (mes: string, day: number): string =>
  `${mes.slice(0, 8)}${String(Math.min(day, getDaysInMonth(parseISO(mes)))).padStart(2, '0')}`;
