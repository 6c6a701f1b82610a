import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';

/** `R$ 1.234,56` (with a plain space) from integer cents. */
export function brl(cents: number): string {
  const amount = (cents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });
  return amount.replace('\u00a0', ' ');
}

/** `7:05`, in the zone. */
export function timeOf(instant: string | Date, timezone: string): string {
  return format(new TZDate(new Date(instant), timezone), 'H:mm');
}

const WEEKDAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** `qui., 26 de nov. de 2026, 7:05`, in the zone. */
export function dayAndTime(instant: string | Date, timezone: string): string {
  const parts = { ...WEEKDAY, year: 'numeric', timeZone: timezone } as const;
  return `${new Date(instant).toLocaleDateString('pt-BR', parts)}, ${timeOf(instant, timezone)}`;
}

/** `qui., 26 de nov., 7:05`, in the zone, without the year. */
export function weekdayAndTime(instant: string | Date, timezone: string): string {
  const day = new Date(instant).toLocaleDateString('pt-BR', { ...WEEKDAY, timeZone: timezone });
  return `${day}, ${timeOf(instant, timezone)}`;
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
