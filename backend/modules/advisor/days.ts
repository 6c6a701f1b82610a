import { addDays, differenceInCalendarDays, endOfMonth, format, getDay, parseISO } from 'date-fns';
import { type Period, shiftMonth, single } from './period.js';

/** A range of calendar days, both included. */
export interface Days {
  de: string;
  ate: string;
}

const shift = (day: string, by: number): string => format(addDays(parseISO(day), by), 'yyyy-MM-dd');
export const dayAfter = (day: string): string => shift(day, 1);
export const dayBefore = (day: string, days: number): string => shift(day, -days);

/** The months that these days are all of; undefined if they are not whole months. */
export function monthsOfDays({ de, ate }: Days): Period | undefined {
  const months = { de: de.slice(0, 7), ate: ate.slice(0, 7) };
  const whole = daysOf(months);
  return whole.de === de && whole.ate === ate ? months : undefined;
}

/** The days of whole months. */
export const daysOf = ({ de, ate }: Period): Days => ({
  de: `${de}-01`,
  ate: format(endOfMonth(parseISO(`${ate}-01`)), 'yyyy-MM-dd'),
});

/** The week of a day, from Sunday on, as in the agenda; `weeks` shifts it. */
export function weekOf(day: string, weeks = 0): Days {
  const first = shift(day, weeks * 7 - getDay(parseISO(day)));
  return { de: first, ate: shift(first, 6) };
}

export const isWeek = ({ de, ate }: Days): boolean => weekOf(de).de === de && weekOf(de).ate === ate;

/**
 * What some days are compared with by default. Days that are over are compared with the current month, year or week, or the days
 * after them; running ones with those before.
 */
export function besides(days: Days, today: string): Days {
  const months = monthsOfDays(days);
  const current = today.slice(0, 7);
  if (months && months.de !== months.ate && months.de.slice(0, 4) === months.ate.slice(0, 4))
    return daysOf({ de: `${current.slice(0, 4)}-01`, ate: current });
  if (months) {
    const isCurrent = months.de === current && months.ate === current;
    return daysOf(single(isCurrent ? shiftMonth(current, -1) : current));
  }
  const isRunning = days.ate >= today;
  if (isWeek(days)) return weekOf(today, isRunning ? -1 : 0);
  const count = differenceInCalendarDays(parseISO(days.ate), parseISO(days.de)) + 1;
  const by = isRunning ? -count : count;
  return { de: shift(days.de, by), ate: shift(days.ate, by) };
}
