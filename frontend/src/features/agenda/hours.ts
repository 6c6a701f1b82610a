import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { addMinutes, dayOf, minutesOf, type Day, type Time } from '../../lib/dates.js';
import { partsByDay, type Stretch } from './grid-layout.js';

/** The calendar's rows, 06 to 21 (spec 1, section 9). */
const FIRST_HOUR = 6;
const LAST_HOUR = 21;

const calendarHours = Array.from({ length: LAST_HOUR - FIRST_HOUR + 1 }, (_, index) => FIRST_HOUR + index);

const hourLabel = (hour: number): Time => `${String(hour).padStart(2, '0')}:00`;

/** The days in which a session lies: two if it runs over midnight. */
export function daysOf({ inicio, fim }: Pick<Session, 'inicio' | 'fim'>, zone: string): Day[] {
  const [first, last] = [dayOf(inicio, zone), dayOf(new Date(Date.parse(fim) - 1), zone)];
  return last > first ? [first, last] : [first];
}

export function sessionsOfDay<Item extends Session>(
  sessions: readonly Item[],
  day: Day,
  zone: string,
): Item[] {
  return sessions.filter((session) => daysOf(session, zone).includes(day));
}

/** The times of a day's scheduled sessions, in minutes since midnight. */
function busyTimes(sessions: readonly Session[], day: Day, zone: string): Stretch[] {
  return partsByDay(sessions, [day], zone)
    .get(day)!
    .filter(({ session }) => session.status !== 'cancelada');
}

/** The full hours of a day, from `earliest` on, at which a session of an hour overlaps no other one and no `shut` time. */
export function freeHours(
  sessions: readonly Session[],
  day: Day,
  zone: string,
  earliest: Time,
  shut: readonly Stretch[] = [],
): Time[] {
  const busy = [...busyTimes(sessions, day, zone), ...shut];
  return calendarHours
    .filter((hour) => hour * 60 >= minutesOf(earliest))
    .filter((hour) => busy.every(({ start, end }) => end <= hour * 60 || start >= (hour + 1) * 60))
    .map(hourLabel);
}

/** Whether the calendar's last hour has begun: a booking is then for another day. */
export const isLate = (now: Time): boolean => minutesOf(now) > LAST_HOUR * 60;

/** The first of the free hours; on a full day the first full hour that has not passed. */
export const proposedHour = (free: readonly Time[], earliest: Time): Time =>
  free[0] ?? hourLabel(Math.min(Math.ceil(minutesOf(earliest) / 60), LAST_HOUR));

const STEP_MINUTES = 30;

const OFFERED = 3;

/**
 * The times of the day nearest to a taken one, in steps of half an hour, at which a session of the same length overlaps no other
 * one; of two equally near ones the later comes first. Empty if the rest of the day is full.
 */
export function nearestFreeTimes(
  sessions: readonly Session[],
  day: Day,
  zone: string,
  taken: { start: Time; end: Time },
  earliest: Time,
): Time[] {
  const [from, to] = [minutesOf(taken.start), minutesOf(taken.end)];
  const length = to - from;
  const busy = busyTimes(sessions, day, zone);
  const steps = ((LAST_HOUR - FIRST_HOUR) * 60) / STEP_MINUTES + 1;
  return (
    Array.from({ length: steps }, (_, index) => FIRST_HOUR * 60 + index * STEP_MINUTES)
      // Without the refused time itself, since the conflicting session may not be loaded.
      .filter((start) => start !== from && start >= minutesOf(earliest) && start + length < 24 * 60)
      .filter((start) => busy.every((other) => other.end <= start || other.start >= start + length))
      .toSorted((one, other) => Math.abs(one - from) - Math.abs(other - from) || other - one)
      .slice(0, OFFERED)
      .map((start) => addMinutes('00:00', start))
  );
}
