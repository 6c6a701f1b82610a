import { addDays } from 'date-fns';
import { atClocks, dateOf } from '../../platform/local-time.js';

/** Days begin and end here for all tenants. */
const ZONE = 'America/Sao_Paulo';
/** How long after its end a day is sealed: longer than a command may take, so that none is recorded in it any more. */
const WAIT_MS = 600_000;

const dayAfter = (day: string): string =>
  addDays(new Date(`${day}T00:00:00Z`), 1)
    .toISOString()
    .slice(0, 10);

/** The instant at which a day is over. */
export const endOf = (day: string): Date => new Date(atClocks(Date.parse(dayAfter(day)), ZONE));

/** The day that has begun and is not to be sealed yet. */
export const todayOf = (now: Date): string => dateOf(now.getTime() - WAIT_MS, ZONE);

/** The days after the newest seal that are over; without a seal, only the last one. */
export function daysToSeal(newest: string | undefined, now: Date): string[] {
  const today = todayOf(now);
  const days: string[] = [];
  const yesterday = addDays(new Date(`${today}T00:00:00Z`), -1)
    .toISOString()
    .slice(0, 10);
  for (let day = newest ? dayAfter(newest) : yesterday; day < today; day = dayAfter(day)) days.push(day);
  return days;
}
