import { TZDateMini } from '@date-fns/tz/date/mini';
import { addDays as addDaysTo } from 'date-fns/addDays';
import { addMonths as addMonthsTo } from 'date-fns/addMonths';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { getDaysInMonth } from 'date-fns/getDaysInMonth';

/** A calendar date, `YYYY-MM-DD`, without a time zone. */
export type Day = string;
/** A calendar month, `YYYY-MM`. */
export type Month = string;
/** A time of day, `HH:mm`. */
export type Time = string;

const pad = (value: number) => String(value).padStart(2, '0');

function utc(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new TZDateMini(year, month - 1, date, 'UTC');
}

const toDay = (date: Date): Day =>
  `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

const MINUTE_MS = 60_000;
const MOST_CLOCKS = 1000;
/** Cached local times by zone and minute, because a list needs the same ones for each row at each keystroke. */
const clocks = new Map<string, readonly [day: Day, time: Time]>();

function clockOf(instant: string | Date, zone: string): readonly [day: Day, time: Time] {
  const at = new Date(instant).getTime();
  const key = `${Math.floor(at / MINUTE_MS)} ${zone}`;
  const known = clocks.get(key);
  if (known) return known;
  const date = new TZDateMini(at, zone);
  const clock = [toDay(date), `${pad(date.getHours())}:${pad(date.getMinutes())}`] as const;
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  clocks.set(key, clock);
  return clock;
}

/** The calendar date of an instant (ISO string or Date) in a zone. */
export const dayOf = (instant: string | Date, zone: string): Day => clockOf(instant, zone)[0];

/** The wall-clock time of an instant in a zone. */
export const timeOf = (instant: string | Date, zone: string): Time => clockOf(instant, zone)[1];

/** The instant (ISO, with Z) at which the clocks of a zone show this date and time. */
export function instantOf(day: Day, time: Time, zone: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(new TZDateMini(year, month - 1, date, hours, minutes, zone).getTime()).toISOString();
}

export const todayIn = (zone: string, now: Date = new Date()): Day => dayOf(now, zone);
export const addDays = (day: Day, days: number): Day => toDay(addDaysTo(utc(day), days));
export const addMonths = (day: Day, months: number): Day => toDay(addMonthsTo(utc(day), months));
/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => utc(day).getDay();
/** The Sunday on or before a date. */
export const startOfWeek = (day: Day): Day => addDays(day, -weekdayOf(day));
export const weekOf = (day: Day): Day[] =>
  Array.from({ length: 7 }, (_, index) => addDays(startOfWeek(day), index));
export const monthOf = (day: Day): Month => day.slice(0, 7);
export const lastDayOf = (month: Month): Day => addDays(addMonths(`${month}-01`, 1), -1);
const daysBetween = (from: Day, to: Day): number => differenceInCalendarDays(utc(to), utc(from));

/** Number of remaining days of a month: 0 for a past month, all of them for a future one. */
export function daysLeftIn(month: Month, today: Day): number {
  const length = getDaysInMonth(utc(`${month}-01`));
  const current = monthOf(today);
  if (month < current) return 0;
  return month > current ? length : length - Number(today.slice(8));
}

/** Adds minutes to a time of day, staying within the day (23:59 at most). */
export function addMinutes(time: Time, minutes: number): Time {
  const total = Math.min(minutesOf(time) + minutes, 24 * 60 - 1);
  return `${pad(Math.floor(total / 60))}:${pad(total % 60)}`;
}

export function minutesOf(time: Time): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function write(day: Day, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('pt-BR', { ...options, timeZone: 'UTC' });
  formats.set(key, format);
  return format.format(utc(day).getTime());
}

/** `26/11/2026` */
export const formatDate = (day: Day): string => day.split('-').reverse().join('/');
/** `quinta-feira, 26 de novembro de 2026` */
export const formatLongDay = (day: Day): string => write(day, { dateStyle: 'full' });
/** `26 de novembro de 2026` */
const writtenDay = (day: Day): string => write(day, { dateStyle: 'long' });
/** `novembro` */
export const formatMonth = (month: Month): string => write(`${month}-01`, { month: 'long' });
/** `nov.` */
export const formatShortMonth = (month: Month): string => write(`${month}-01`, { month: 'short' });
/** `qui.` */
export const formatWeekday = (day: Day): string => write(day, { weekday: 'short' });

/**
 * A date in everyday words: `hoje`, `amanhã`, `ontem`, `qui., 26 de nov.`, with the year if it is not the current one.
 */
export function formatDay(day: Day, today: Day): string {
  const distance = daysBetween(today, day);
  if (distance === 0) return 'hoje';
  if (distance === 1) return 'amanhã';
  if (distance === -1) return 'ontem';
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return write(day, { weekday: 'short', day: 'numeric', month: 'short', ...year });
}

/** A date in a sentence: `hoje`, `em qui., 26 de nov.` */
export function whenDay(day: Day, today: Day): string {
  const words = formatDay(day, today);
  return Math.abs(daysBetween(today, day)) <= 1 ? words : `em ${words}`;
}

/** A due date: `vence hoje`, `venceu qui., 26 de nov.` */
export const dueDay = (day: Day, today: Day): string =>
  `${day < today ? 'venceu' : 'vence'} ${formatDay(day, today)}`;

/** `horário de Brasília`: the name of a zone's time. */
export function formatZone(zone: string): string {
  const options = { timeZone: zone, timeZoneName: 'longGeneric' } as const;
  const parts = new Intl.DateTimeFormat('pt-BR', options).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return name.replace('Horário Padrão', 'horário').replace('Horário', 'horário');
}

/** `7:00`, without a leading zero. */
export const formatTime = (time: Time): string => time.replace(/^0(?=\d:)/, '');

/** `hoje, 7:00` */
export function formatMoment(instant: string, zone: string, now: Date = new Date()): string {
  return `${formatDay(dayOf(instant, zone), todayIn(zone, now))}, ${formatTime(timeOf(instant, zone))}`;
}

/**
 * Parses a typed or pasted date: `26/11/2026`, `26112026`, `2026-11-26`.
 * @returns null if it is not a date of the calendar (31/02/2026)
 */
export function parseDate(text: string): Day | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim());
  const typed = /^(\d{2})\/?(\d{2})\/?(\d{4})$/.exec(text.trim());
  const day = match ? text.trim() : typed ? `${typed[3]}-${typed[2]}-${typed[1]}` : null;
  return day !== null && toDay(utc(day)) === day ? day : null;
}

/**
 * Parses a complete date that may lack leading zeros or the century: `1/2/2026`, `1/2/26`. A year of two digits is
 * between 90 years ago and ten years ahead.
 */
export function completeDate(text: string, now: Date = new Date()): Day | null {
  const [day = '', month = '', year = ''] = text.split('/');
  if (!year) return parseDate(text);
  const last = now.getFullYear() + 10;
  const full = /^\d{2}$/.test(year) ? String(last - ((last - Number(year)) % 100)) : year;
  return parseDate(`${day.padStart(2, '0')}/${month.padStart(2, '0')}/${full}`);
}

/** Parses `7`, `07:00`, `7h30`, `730` as a time of day; null for any other text. */
export function parseTime(text: string): Time | null {
  const match = /^(\d{1,2})(?:[:h.]?(\d{2})?)?$/i.exec(text.trim());
  if (!match) return null;
  const [hours, minutes] = [Number(match[1]), Number(match[2] ?? 0)];
  return hours < 24 && minutes < 60 ? `${pad(hours)}:${pad(minutes)}` : null;
}

/** A past moment that a page shows instead of now. */
export interface Moment {
  /** As the address has it: a day, at its end (`2026-12-10`), a time of it (`2026-12-10T15:30`), or an instant in UTC. */
  em: string;
  /** The instant. */
  at: string;
  day: Day;
  time: Time | null;
}

/** Null for now, and for what is no moment. */
export function momentOf(em: string | null, zone: string): Moment | null {
  if (em?.endsWith('Z')) {
    const instant = new Date(em);
    if (Number.isNaN(instant.getTime())) return null;
    const at = instant.toISOString();
    return { em, at, day: dayOf(at, zone), time: timeOf(at, zone) };
  }
  const [date = '', clock] = (em ?? '').split('T');
  const [day, time] = [parseDate(date), clock === undefined ? null : parseTime(clock)];
  if (em === null || day === null || (clock !== undefined && time === null)) return null;
  const at =
    time === null
      ? new Date(Date.parse(instantOf(addDays(day, 1), '00:00', zone)) - 1).toISOString()
      : instantOf(day, time, zone);
  return { em, at, day, time };
}

/** `10 de dezembro de 2026`, `10 de dezembro de 2026, 15:30` */
export const writtenMoment = ({ day, time }: Moment): string =>
  `${writtenDay(day)}${time === null ? '' : `, ${formatTime(time)}`}`;
