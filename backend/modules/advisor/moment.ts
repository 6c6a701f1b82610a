import { addDays, format, getDay, parseISO } from 'date-fns';
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
