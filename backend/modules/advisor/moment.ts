import { addDays, format, getDay, parseISO, subDays } from 'date-fns';
import { WEEKDAYS } from './period.js';

export interface MomentAsked {
  /** Calendar date; null where none was said. */
  dia: string | null;
  /** `07:30` */
  hora: string | null;
}

/** "amanha as 7h", "sexta 18:30", "dia 25 as 8": the day and the time that an order names. `text`: as `writtenOut` gives it. */
export function momentIn(text: string, today: string): MomentAsked {
  return { dia: dayIn(text, today), hora: timeIn(text) };
}

/** The day on which something was done, as an order says it: "ontem", "dia 10", "05/11", "na segunda", "há 3 dias"; null where none is. */
export function pastDayIn(text: string, today: string): string | null {
  const back = (days: number) => format(subDays(parseISO(today), days), 'yyyy-MM-dd');
  if (/\b(anteontem|antes de ontem)\b/.test(text)) return back(2);
  if (/\bontem\b/.test(text)) return back(1);
  const [, ago] = /\bha (\d{1,2}) dias?\b/.exec(text) ?? [];
  if (ago !== undefined) return back(Number(ago));
  const [, date, month, year] = /\b(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?\b/.exec(text) ?? [];
  if (date !== undefined) return gone(Number(date), Number(month), year, today);
  // "A mensalidade do dia 10" was due then, "todo dia 10" it is due.
  const [, alone] = /(?<!\b(?:do|todo) )\bdia (\d{1,2})\b/.exec(text) ?? [];
  if (alone !== undefined) return gone(Number(alone), undefined, undefined, today);
  const [, name] = ON_A_WEEKDAY.exec(text) ?? [];
  if (name === undefined) return null;
  return back((getDay(parseISO(today)) - WEEKDAYS.indexOf(name) + 7) % 7 || 7);
}

/** "Na segunda", not "na segunda parcela". */
const ON_A_WEEKDAY = new RegExp(
  `\\b(?:n[ao]|ultim[ao]|ess[ae]|est[ae]) (${WEEKDAYS.join('|')})\\b(?! (?:parcela|aula|vez|mensalidade|sessao|semana))`,
);

/** The last such day that exists: of this month or an earlier one, or of the month that was said. */
function gone(
  day: number,
  month: number | undefined,
  year: string | undefined,
  today: string,
): string | null {
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number];
  for (let before = 0; before < 13; before += 1) {
    const index = month === undefined ? thisMonth - 1 - before : month - 1;
    const inYear = year === undefined ? thisYear - (month === undefined ? 0 : before) : Number(year);
    const date = new Date(Date.UTC(inYear, index, day));
    const text = date.toISOString().slice(0, 10);
    if (date.getUTCDate() === day && text <= today) return text;
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
  if (day !== undefined) return coming(Number(day), Number(month), year, today);
  const [, alone] = /\bdia (\d{1,2})\b/.exec(text) ?? [];
  if (alone !== undefined) return coming(Number(alone), undefined, undefined, today);
  const weekday = WEEKDAYS.findIndex((name) => new RegExp(`\\b${name}\\b`).test(text));
  if (weekday < 0) return null;
  return from((weekday - getDay(parseISO(today)) + 7) % 7 || 7);
}

/** The next such day that exists: of this month or a later one, or of the month that was said. */
function coming(
  day: number,
  month: number | undefined,
  year: string | undefined,
  today: string,
): string | null {
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number];
  for (let ahead = 0; ahead < 13; ahead += 1) {
    const index = month === undefined ? thisMonth - 1 + ahead : month - 1;
    const inYear =
      year === undefined ? thisYear + (month === undefined ? Math.floor(index / 12) : ahead) : Number(year);
    const date = new Date(Date.UTC(inYear, index % 12, day));
    const text = date.toISOString().slice(0, 10);
    if (date.getUTCDate() === day && text >= today) return text;
    if (year !== undefined) return null;
  }
  return null;
}
