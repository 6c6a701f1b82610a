import { atClocks, clocksAt, type Span } from '../../platform/local-time.js';
import { type Busy, freeTimes, type OpenRules } from '../availability/free-times.js';
import type { LinkSettings } from './public-link.api.js';

/** Which times visitors may book, by the trainer's settings. Pure functions. */

/** The settings that limit free times. */
export type Limits = Pick<
  LinkSettings,
  'dias' | 'duracao_min' | 'intervalo_min' | 'antecedencia_min' | 'por_dia'
>;

export interface SlotsAsked {
  settings: Limits;
  rules: OpenRules;
  /** Busy times, in milliseconds. */
  busy: readonly Busy[];
  /** Milliseconds. */
  now: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Starts are at multiples of this, in minutes. */
const GRID = 15;

/** From now to the end of the last day shown. */
export const shownSpan = ({ dias }: Pick<Limits, 'dias'>, now: number, zone: string): Span => ({
  from: now,
  to: midnightAfter(now, dias, zone),
});

/** Local midnight at the end of so many days, of which `at` is in the first. */
const midnightAfter = (at: number, days: number, zone: string): number =>
  atClocks((Math.floor(clocksAt(at, zone) / DAY) + days) * DAY, zone);

/** All starts that can be booked: a session's duration apart, with room for the session and its margins. */
export function bookableStarts({ settings, rules, busy, now }: SlotsAsked): number[] {
  const { duracao_min: minutes, intervalo_min: buffer, antecedencia_min: notice } = settings;
  const span = shownSpan(settings, now, rules.zone);
  const step = Math.ceil(minutes / GRID) * GRID;
  return freeTimes({ ...rules, ...span, busy, now, minutes, step, buffer, notice }).starts;
}

/** The starts that are shown: of those that can be booked, in order, the first ones of each day. */
export function offeredStarts(
  bookable: readonly number[],
  { por_dia }: Pick<Limits, 'por_dia'>,
  zone: string,
): number[] {
  let [dayEnds, count] = [-Infinity, 0];
  return bookable.filter((start) => {
    if (start >= dayEnds) [dayEnds, count] = [midnightAfter(start, 1, zone), 0];
    count += 1;
    return count <= por_dia;
  });
}

const NEAREST = 3;

/** The free starts nearest to one that is taken; of two equally near the later one first. */
export function nearestStarts(starts: readonly number[], wished: number): number[] {
  return starts
    .filter((start) => start !== wished)
    .toSorted((one, other) => Math.abs(one - wished) - Math.abs(other - wished) || other - one)
    .slice(0, NEAREST);
}

export const periodOf = (start: number, { duracao_min }: Pick<Limits, 'duracao_min'>) => ({
  inicio: instantText(start),
  fim: instantText(start + duracao_min * MINUTE),
});

/** Caches instants as ISO text: pages share the quarter hours of the same weeks, and formatting is slow. */
const written = new Map<number, string>();
const MOST_WRITTEN = 20_000;

function instantText(at: number): string {
  let text = written.get(at);
  if (text === undefined) {
    text = new Date(at).toISOString();
    if (written.size >= MOST_WRITTEN) written.clear();
    written.set(at, text);
  }
  return text;
}
