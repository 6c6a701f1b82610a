import type { Agreed } from '../services/service.js';
import { shortDate } from '../../platform/portuguese.js';

/** The dates of a series: days of the week, every week or every second one. Calendar dates without a time zone. */
export interface Pattern {
  /** Days of the week in order, 0 is Sunday. */
  dias: readonly number[];
  intervalo: number;
  /** The first date. */
  inicio: string;
  /** The last possible date; null without an end. */
  ate: string | null;
}

/** Time, length and location of a series' sessions, from a date of its pattern on. */
export interface Terms {
  /** Days from the date of the pattern to the day of the session. */
  deslocamento: number;
  /** `HH:MM` in the tenant's zone. */
  hora: string;
  /** Minutes. */
  duracao: number;
  location_id: string | null;
  observacoes: string | null;
  /** Earlier ones had none. */
  servico?: Agreed | null | undefined;
}

/** Terms that apply from a date of the pattern on, until the next stretch. */
export interface Stretch extends Terms {
  desde: string;
  /** Days of the week in order, if they differ from the pattern's. */
  dias?: readonly number[];
}

const DAY = 86_400_000;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** Days since 1970. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;
const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
export const daysAfter = (date: string, days: number): string => dateOf(dayNumber(date) + days);
/** 0 is Sunday. */
export const weekdayOf = (day: number): number => (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
const weekOf = (day: number): number => (day - weekdayOf(day)) / 7;

/** The Saturday of a date's week. */
export const weekEnd = (date: string): string => daysAfter(date, 6 - weekdayOf(dayNumber(date)));

/** The first of these weekdays on or after a date. */
export function firstOn(date: string, dias: readonly number[]): string {
  const day = dayNumber(date);
  return dateOf(day + Math.min(...dias.map((weekday) => (weekday - weekdayOf(day) + 7) % 7)));
}

/** The dates of a pattern from `from` to `to`, both included, at most `most`. Stretches may change the days of the week. */
export function datesOf(
  pattern: Pattern & { trechos?: readonly Stretch[] },
  from: string,
  to: string,
  most = Infinity,
): string[] {
  const { intervalo, inicio, ate, trechos = [] } = pattern;
  const others = trechos.some(({ dias }) => dias !== undefined);
  const last = dayNumber(ate !== null && ate < to ? ate : to);
  const dates: string[] = [];
  for (let day = dayNumber(from < inicio ? inicio : from); day <= last && dates.length < most; day += 1) {
    const isIn = (weekOf(day) - weekOf(dayNumber(inicio))) % intervalo === 0;
    const dias = (others && termsOn(trechos, dateOf(day)).dias) || pattern.dias;
    if (isIn && dias.includes(weekdayOf(day))) dates.push(dateOf(day));
  }
  return dates;
}

/** The date of the `vezes`-th occurrence. */
export function lastOf(pattern: Omit<Pattern, 'ate'>, vezes: number): string {
  const far = daysAfter(pattern.inicio, vezes * 7 * pattern.intervalo);
  return datesOf({ ...pattern, ate: null }, pattern.inicio, far, vezes).at(-1)!;
}

/** The last date of a series with a number of occurrences from a date on, with the days of the week of its stretches. */
export function lastFrom(
  pattern: Pattern & { trechos: readonly Stretch[] },
  from: string,
  vezes: number,
): string {
  const weeks = (vezes + pattern.trechos.length) * pattern.intervalo;
  return datesOf({ ...pattern, ate: null }, from, daysAfter(from, weeks * 7), vezes).at(-1)!;
}

/** The terms that apply on a date of the pattern. */
export const termsOn = <Known extends Stretch>(stretches: readonly Known[], date: string): Known =>
  stretches.findLast(({ desde }) => desde <= date) ?? stretches[0]!;

/** The stretches after `change` is applied from a date on; stretches without a difference are merged. */
export const changedFrom = (
  stretches: readonly Stretch[],
  desde: string,
  change: Partial<Terms>,
): Stretch[] => fromOn(stretches, desde, () => change);

/** The stretches for a series that begins at a date. */
export function stretchesFrom(stretches: readonly Stretch[], desde: string): Stretch[] {
  const first = { ...termsOn(stretches, desde), desde };
  return [first, ...stretches.filter((one) => one.desde > desde)].map((one) => ({
    ...one,
    observacoes: null,
  }));
}

/** The stretches with other days of the week from a date on. `dias`: days of the sessions, converted by `deslocamento`. */
export const daysChangedFrom = (
  stretches: readonly Stretch[],
  desde: string,
  dias: readonly number[],
): Stretch[] =>
  fromOn(stretches, desde, ({ deslocamento }) => ({
    dias: dias.map((day) => weekdayMoved(day, -deslocamento)).toSorted((one, other) => one - other),
  }));

function fromOn(
  stretches: readonly Stretch[],
  desde: string,
  change: (stretch: Stretch) => Partial<Stretch>,
): Stretch[] {
  const before = stretches.filter((stretch) => stretch.desde < desde);
  const after = stretches.filter((stretch) => stretch.desde > desde);
  const changed = [{ ...termsOn(stretches, desde), desde }, ...after].map((stretch) => ({
    ...stretch,
    ...change(stretch),
  }));
  return [...before, ...changed].reduce<Stretch[]>((all, stretch) => {
    const last = all.at(-1);
    return last && isSame(last, stretch) ? all : [...all, stretch];
  }, []);
}

/** The day of the week a number of days later. */
export const weekdayMoved = (weekday: number, days: number): number => (((weekday + days) % 7) + 7) % 7;

const isSame = (one: Stretch, other: Stretch): boolean =>
  one.dias?.join() === other.dias?.join() &&
  one.deslocamento === other.deslocamento &&
  one.hora === other.hora &&
  one.duracao === other.duracao &&
  one.location_id === other.location_id &&
  one.observacoes === other.observacoes;

const NAMES = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'];
const MASCULINE = new Set([0, 6]);

/** The terms as text: "toda terça e quinta, 7:00", "a cada 2 semanas, na terça, 7:00". */
export function inWords(
  pattern: Pick<Pattern, 'dias' | 'intervalo'>,
  { deslocamento, hora, dias = pattern.dias }: Pick<Stretch, 'deslocamento' | 'hora' | 'dias'>,
): string {
  const { intervalo } = pattern;
  const days = dias
    .map((weekday) => weekdayMoved(weekday, deslocamento))
    .toSorted((one, other) => one - other);
  const list = weekdaysInWords(days);
  const time = hora.replace(/^0(?=\d)/, '');
  if (intervalo > 1) return `a cada ${intervalo} semanas, ${list}, ${time}`;
  if (days.length === 7) return `todo dia, ${time}`;
  return `${MASCULINE.has(days[0]!) ? 'todo' : 'toda'} ${list}, ${time}`;
}

/** "terça e quinta" */
export function weekdaysInWords(days: readonly number[]): string {
  const names = days.map((day) => NAMES[day]!);
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} e ${names.at(-1)}` : names[0]!;
}

/** "toda terça, 7:00, até 30/06/2027" */
export const untilInWords = (ate: string | null): string => (ate === null ? '' : `, até ${shortDate(ate)}`);
