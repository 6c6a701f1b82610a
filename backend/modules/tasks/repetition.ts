import type { Repetition } from './tasks.api.js';

/** Recurrence rules (RFC 5545) of repeated tasks, and their dates: calendar dates, independent of time zones. */

const FREQUENCIES = { diariamente: 'DAILY', semanalmente: 'WEEKLY', mensalmente: 'MONTHLY' } as const;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const LAST_DATE = '2100-12-31';
/** The last day that every month has. */
const SURE_DAYS = 28;

const parts = (date: string) => date.split('-').map(Number) as [year: number, month: number, day: number];
const dateOf = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
const later = (one: string, other: string) => (one > other ? one : other);

function plusDays(date: string, days: number): string {
  const [year, month, day] = parts(date);
  return dateOf(year, month, day + days);
}

/**
 * The recurrence rule of a task that starts on that date; null if it does not repeat. In a month without that day the task is on the last day:
 * `BYMONTHDAY=28,29,30,31;BYSETPOS=-1` means the 31st.
 */
export function ruleOf(repeticao: Repetition, date: string): string | null {
  if (repeticao === 'nao_se_repete') return null;
  const rule = `FREQ=${FREQUENCIES[repeticao]}`;
  if (repeticao === 'diariamente') return rule;
  const [year, month, day] = parts(date);
  if (repeticao === 'semanalmente')
    return `${rule};BYDAY=${WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]}`;
  if (day <= SURE_DAYS) return `${rule};BYMONTHDAY=${day}`;
  const days = Array.from({ length: day - SURE_DAYS + 1 }, (_, n) => SURE_DAYS + n);
  return `${rule};BYMONTHDAY=${days.join(',')};BYSETPOS=-1`;
}

export function repetitionOf(rrule: string | null): Repetition {
  const kinds = Object.keys(FREQUENCIES) as (keyof typeof FREQUENCIES)[];
  return kinds.find((kind) => rrule?.startsWith(`FREQ=${FREQUENCIES[kind]}`)) ?? 'nao_se_repete';
}

/** The first date of the rule that is after `date` and not before `today`; null where it would be beyond the last supported date. */
export function nextDate(rrule: string, date: string, today: string): string | null {
  const next = following(rrule, date, today);
  return next > LAST_DATE ? null : next;
}

function following(rrule: string, date: string, today: string): string {
  switch (repetitionOf(rrule)) {
    case 'nao_se_repete':
    case 'diariamente':
      return later(plusDays(date, 1), today);
    case 'semanalmente': {
      let next = plusDays(date, 7);
      while (next < today) next = plusDays(next, 7);
      return next;
    }
    case 'mensalmente': {
      const wanted = Math.max(...rrule.match(/\d+/g)!.map(Number));
      const [year, month] = parts(date);
      for (let ahead = 1; ; ahead += 1) {
        const lastDay = new Date(Date.UTC(year, month + ahead, 0)).getUTCDate();
        const next = dateOf(year, month + ahead, Math.min(wanted, lastDay));
        if (next >= today) return next;
      }
    }
  }
}
