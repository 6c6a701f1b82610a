import { addDays, differenceInCalendarDays, format, parseISO } from 'date-fns';
import type { Away } from '../away/student-pause.js';

export const daysLater = (day: string, days: number): string =>
  format(addDays(parseISO(day), days), 'yyyy-MM-dd');

/** Days after `from` up to `to`. */
export const daysBetween = (from: string, to: string): number =>
  differenceInCalendarDays(parseISO(to), parseISO(from));

/**
 * The last valid day of credits: each day away that they live through, from `first` on, moves it by one. It follows from the days
 * alone, so it does not matter in which order they were saved, and a day on which two periods overlap counts once.
 */
export function deadline(last: string, first: string, away: readonly Away[]): string {
  let end = last;
  let next = first;
  for (const { desde, ate } of away.toSorted((one, other) => (one.desde < other.desde ? -1 : 1))) {
    const from = desde > next ? desde : next;
    if (ate < from || end < desde) continue;
    end = daysLater(end, daysBetween(from, ate) + 1);
    next = daysLater(ate, 1);
  }
  return end;
}

/** The most of these numbers of days, all of which give or all take, and whether they are equal. */
export const mostDays = (days: readonly number[]): { dias: number; dias_iguais: boolean } => ({
  dias: days.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0),
  dias_iguais: new Set(days).size <= 1,
});
