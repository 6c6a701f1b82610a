import {
  DEFAULT_OPEN,
  type DayRow,
  type WeekRow,
} from '../../../../backend/modules/availability/availability.api.js';
import { formatTime } from '../../lib/dates.js';

/** From 0 (Sunday), as `day_of_week` counts. */
export const weekdays = ['Domingo', 'Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado'] as const;

export const allDays = weekdays.map((_, day) => day);

/** The week as it counts: without an open row, every day is open at the usual hours. */
export const countedWeek = (rows: readonly WeekRow[]): WeekRow[] =>
  rows.some(({ is_blocked }) => !is_blocked)
    ? [...rows]
    : [...allDays.map((day_of_week) => ({ day_of_week, ...DEFAULT_OPEN, is_blocked: false })), ...rows];

const hour = (time: string) => formatTime(time).replace(/:00$/, '');

/** Whether both times are typed. */
export const isTyped = ({ start_time, end_time }: DayRow): boolean => start_time !== '' && end_time !== '';

/** `6:00–21:00 · pausa 12–13`, of what is typed; null for a day that is closed. */
export function hoursOf(rows: readonly DayRow[]): string | null {
  if (!rows.some(({ is_blocked }) => !is_blocked)) return null;
  const sorted = rows
    .filter(isTyped)
    .toSorted((one, other) => one.start_time.localeCompare(other.start_time));
  const open = sorted.filter(({ is_blocked }) => !is_blocked);
  const pauses = sorted.filter(({ is_blocked }) => is_blocked);
  const hours = open.map(({ start_time, end_time }) => `${formatTime(start_time)}–${formatTime(end_time)}`);
  const short = pauses.map(({ start_time, end_time }) => `${hour(start_time)}–${hour(end_time)}`);
  return [
    hours.join(', '),
    short.length > 0 && `${short.length > 1 ? 'pausas' : 'pausa'} ${short.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Whether two days have the same hours. */
export const sameHours = (one: readonly DayRow[], other: readonly DayRow[]): boolean =>
  hoursOf(one) === hoursOf(other);
