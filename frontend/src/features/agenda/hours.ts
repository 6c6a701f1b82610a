import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, minutesOf, timeOf, type Day, type Time } from '../../lib/dates.js';

/** The calendar's rows, 06 to 21 (spec 1, section 9). */
const FIRST_HOUR = 6;
const LAST_HOUR = 21;

const calendarHours = Array.from({ length: LAST_HOUR - FIRST_HOUR + 1 }, (_, index) => FIRST_HOUR + index);

export const hourLabel = (hour: number): Time => `${String(hour).padStart(2, '0')}:00`;

const hourOf = (session: Session, zone: string): number =>
  Math.floor(minutesOf(timeOf(session.inicio, zone)) / 60);

export function sessionsOfDay(sessions: readonly Session[], day: Day, zone: string): Session[] {
  return sessions.filter(({ inicio }) => dayOf(inicio, zone) === day);
}

/** Sessions by the hour in which they start; only hours that have some, and `also` where it is one of the calendar's. */
export function byHour(
  sessions: readonly Session[],
  zone: string,
  also?: number,
): [hour: number, Session[]][] {
  const hours = new Map<number, Session[]>();
  if (also !== undefined && calendarHours.includes(also)) hours.set(also, []);
  for (const session of sessions) {
    const hour = hourOf(session, zone);
    hours.set(hour, [...(hours.get(hour) ?? []), session]);
  }
  return [...hours].toSorted(([a], [b]) => a - b);
}

/** The full hours of a day at which an hour's session would meet no other one, from `earliest` on. */
export function freeHours(sessions: readonly Session[], day: Day, zone: string, earliest: Time): Time[] {
  const busy = sessionsOfDay(sessions, day, zone)
    .filter(({ status }) => status !== 'cancelada')
    .map(({ inicio, fim }) => {
      const start = minutesOf(timeOf(inicio, zone));
      return { start, end: start + (Date.parse(fim) - Date.parse(inicio)) / 60_000 };
    });
  return calendarHours
    .filter((hour) => hour * 60 >= minutesOf(earliest))
    .filter((hour) => busy.every(({ start, end }) => end <= hour * 60 || start >= (hour + 1) * 60))
    .map(hourLabel);
}
