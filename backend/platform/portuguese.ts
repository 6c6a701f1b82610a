import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';

export { firstName } from './first-name.api.js';

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** `R$ 1.234,56` (with a no-break space) from integer cents. */
export const brl = (cents: number): string => REAIS.format(cents / 100);

const formats = new Map<string, Intl.DateTimeFormat>();

/** The formatter of a zone. Making one takes a hundred times as long as formatting, and a file has a date in each line. */
export function dateFormat(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = JSON.stringify([timeZone, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('pt-BR', { ...options, timeZone });
  formats.set(key, format);
  return format;
}

/** `7:05`, in the zone. */
export function timeOf(instant: string | Date, timezone: string): string {
  return format(new TZDate(new Date(instant), timezone), 'H:mm');
}

const WEEKDAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const WITH_YEAR = { ...WEEKDAY, year: 'numeric' } as const;

/** `qui., 26 de nov. de 2026, 7:05`, in the zone. */
export function dayAndTime(instant: string | Date, timezone: string): string {
  return `${dateFormat(WITH_YEAR, timezone).format(new Date(instant))}, ${timeOf(instant, timezone)}`;
}

/** `qui., 26 de nov., 7:05`, in the zone, without the year. */
export function weekdayAndTime(instant: string | Date, timezone: string): string {
  return `${dateFormat(WEEKDAY, timezone).format(new Date(instant))}, ${timeOf(instant, timezone)}`;
}

const EXACT = {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'shortOffset',
} as const;

/** `26/11/2026, 7:05:09 GMT-3`: the instant with its zone. */
export const exactMoment = (instant: string | Date, timezone: string): string =>
  dateFormat(EXACT, timezone).format(new Date(instant));

/** `horário de Brasília` */
export function zoneName(zone: string): string {
  const parts = dateFormat({ timeZoneName: 'longGeneric' }, zone).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return name.replace('Horário Padrão', 'horário').replace('Horário', 'horário');
}

/** `26/11/2026` from a calendar date. */
export function shortDate(date: string): string {
  return date.split('-').reverse().join('/');
}

/** `7:00` from a time of day (`07:00`). */
export const clockTime = (time: string): string => time.replace(/^0(?=\d)/, '');

/** Initials such as `A. S. M.`; a dash once the name was deleted. */
export function initialsOf(nome: string | null): string {
  const words = (nome ?? '').split(/\s+/).filter((word) => /^\p{Lu}/u.test(word));
  return words.length === 0 ? '—' : words.map((word) => `${[...word][0]}.`).join(' ');
}
