import { addDays, endOfMonth, format, getDay, parseISO } from 'date-fns';
import { momentIn } from './moment.js';
import { type Period, periodsOf } from './period.js';
import { type Word, writtenOut } from './text.js';

/** A range of calendar days, both included. */
export interface Days {
  de: string;
  ate: string;
}

const shift = (day: string, by: number): string => format(addDays(parseISO(day), by), 'yyyy-MM-dd');
export const dayAfter = (day: string): string => shift(day, 1);

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

/** The days in a question about the agenda: a day, a week or whole months; by default this week. */
export function daysIn(message: string, words: readonly Word[], today: string): Days {
  const text = writtenOut(message, words);
  if (/\b(fim|final) de semana\b/.test(text)) {
    const saturday = shift(weekOf(today).de, 6);
    return { de: saturday, ate: dayAfter(saturday) };
  }
  if (/\b(semana que vem|proxima semana|outra semana)\b/.test(text)) return weekOf(today, 1);
  if (/\b(semana passada|ultima semana|semana anterior)\b/.test(text)) return weekOf(today, -1);
  if (/\bsemana\b/.test(text)) return weekOf(today);
  if (/\bontem\b/.test(text)) return { de: shift(today, -1), ate: shift(today, -1) };
  const { dia } = momentIn(text, today);
  if (dia !== null) return { de: dia, ate: dia };
  const isPast = /\b(dei|fiz|tive|atendi|foram|houve|fizemos)\b/.test(text);
  const periods = periodsOf(words, today, { ahead: !isPast });
  const [period] = periods === 'days' ? [] : periods;
  return period ? daysOf(period) : weekOf(today);
}
