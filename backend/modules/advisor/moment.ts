import { addDays, format, getDay, parseISO, subDays } from 'date-fns';
import { WEEKDAYS } from './period.js';

export interface MomentAsked {
  /** Calendar date; null if none is named. */
  dia: string | null;
  /** `07:30` */
  hora: string | null;
}

/** The day and time in an order: "amanha as 7h", "sexta 18:30", "dia 25 as 8". `text`: from `writtenOut`. */
export function momentIn(text: string, today: string): MomentAsked {
  return { dia: dayIn(text, today), hora: timeIn(text) };
}

/** The past day in an order: "ontem", "dia 10", "05/11", "na segunda", "há 3 dias"; null if none is named. */
export function pastDayIn(text: string, today: string): string | null {
  const back = (days: number) => format(subDays(parseISO(today), days), 'yyyy-MM-dd');
  if (/\b(anteontem|antes de ontem)\b/.test(text)) return back(2);
  if (/\bontem\b/.test(text)) return back(1);
  const [, ago] = /\bha (\d{1,2}) dias?\b/.exec(text) ?? [];
  if (ago !== undefined) return back(Number(ago));
  const [, day, month, year] = /\b(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?\b/.exec(text) ?? [];
  if (day !== undefined) return nearest('last', { day, month, year }, today);
  // Not in "a mensalidade do dia 10" and "todo dia 10", which name a due date.
  const [, alone] = /(?<!\b(?:do|todo) )\bdia (\d{1,2})\b/.exec(text) ?? [];
  if (alone !== undefined) return nearest('last', { day: alone }, today);
  const [, name] = ON_A_WEEKDAY.exec(text) ?? [];
  if (name === undefined) return null;
  return back((getDay(parseISO(today)) - WEEKDAYS.indexOf(name) + 7) % 7 || 7);
}

/** Matches "na segunda", but not "na segunda parcela". */
const ON_A_WEEKDAY = new RegExp(
  `\\b(?:n[ao]|ultim[ao]|ess[ae]|est[ae]) (${WEEKDAYS.join('|')})\\b(?! (?:parcela|aula|vez|mensalidade|sessao|semana))`,
);

/** The parts of a date in a text; missing parts are undefined. */
interface SaidDate {
  day: string;
  month?: string | undefined;
  year?: string | undefined;
}

/**
 * The next or the last existing date with this day, including today: in this month and the following or previous ones, or, with
 * a month, in this year and the following or previous ones.
 */
function nearest(which: 'next' | 'last', { day, month, year }: SaidDate, today: string): string | null {
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number];
  for (let n = 0; n < 13; n += 1) {
    const away = which === 'next' ? n : -n;
    const inMonth = month === undefined ? thisMonth - 1 + away : Number(month) - 1;
    const inYear = year === undefined ? thisYear + (month === undefined ? 0 : away) : Number(year);
    const date = new Date(Date.UTC(inYear, inMonth, Number(day)));
    const text = date.toISOString().slice(0, 10);
    const exists =
      date.getUTCDate() === Number(day) && (month === undefined || date.getUTCMonth() === inMonth);
    if (exists && (which === 'next' ? text >= today : text <= today)) return text;
    if (year !== undefined) return null;
  }
  return null;
}

function timeIn(text: string): string | null {
  const [, hour, minutes] =
    /\b(\d{1,2})(?::|h)(\d{2})\b/.exec(text) ??
    /\b(\d{1,2})\s*(?:h|hs|horas?)\b/.exec(text) ??
    /\bas\s+(\d{1,2})\b/.exec(text) ??
    [];
  if (hour === undefined) return null;
  const isEvening = /\b(da tarde|da noite)\b/.test(text) && Number(hour) < 12;
  const number = Number(hour) + (isEvening ? 12 : 0);
  if (number > 23 || Number(minutes ?? 0) > 59) return null;
  return `${String(number).padStart(2, '0')}:${minutes ?? '00'}`;
}

function dayIn(text: string, today: string): string | null {
  const from = (days: number) => format(addDays(parseISO(today), days), 'yyyy-MM-dd');
  if (/\bdepois de amanha\b/.test(text)) return from(2);
  if (/\bamanha\b/.test(text)) return from(1);
  if (/\bhoje\b/.test(text)) return today;
  const [, day, month, year] = /\b(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?\b/.exec(text) ?? [];
  if (day !== undefined) return nearest('next', { day, month, year }, today);
  const [, alone] = /\bdia (\d{1,2})\b/.exec(text) ?? [];
  if (alone !== undefined) return nearest('next', { day: alone }, today);
  const weekday = WEEKDAYS.findIndex((name) => new RegExp(`\\b${name}\\b`).test(text));
  if (weekday < 0) return null;
  return from((weekday - getDay(parseISO(today)) + 7) % 7 || 7);
}
