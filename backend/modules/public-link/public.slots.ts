import {
  atClocks,
  type Busy,
  clocksAt,
  freeTimes,
  type OpenRules,
  type Span,
} from '../availability/free-times.js';
import type { LinkSettings } from './public-link.api.js';

/** What a visitor may book, by the trainer's settings. Pure. */

/** What free times follow from, beside the trainer's hours. */
export type Limits = Pick<
  LinkSettings,
  'dias' | 'duracao_min' | 'intervalo_min' | 'antecedencia_min' | 'por_dia'
>;

export interface SlotsAsked {
  settings: Limits;
  rules: OpenRules;
  /** Times that sessions take, in milliseconds. */
  busy: readonly Busy[];
  /** Milliseconds. */
  now: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Minutes: starts are at quarters of an hour. */
const GRID = 15;

/** From now to the end of the last day that is shown. */
export const shownSpan = ({ dias }: Pick<Limits, 'dias'>, now: number, zone: string): Span => ({
  from: now,
  to: midnightAfter(now, dias, zone),
});

/** The first midnight, by the clocks, after so many days of which `at` is in the first. */
const midnightAfter = (at: number, days: number, zone: string): number =>
  atClocks((Math.floor(clocksAt(at, zone) / DAY) + days) * DAY, zone);

/** Every start that can be booked: one session's length apart, with room for the session and what stays free around it. */
export function bookableStarts({ settings, rules, busy, now }: SlotsAsked): number[] {
  const { duracao_min: minutes, intervalo_min: buffer, antecedencia_min: notice } = settings;
  const span = shownSpan(settings, now, rules.zone);
  const step = Math.ceil(minutes / GRID) * GRID;
  return freeTimes({ ...rules, ...span, busy, now, minutes, step, buffer, notice }).starts;
}

/** Those that are shown of what can be booked, which is in order: the first ones of each day. */
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

/** The free starts nearest to one that cannot be had; of two equally near the later one first. */
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

/** The texts of instants that were asked for: pages share the quarters of an hour of the same weeks, and to write one takes long. */
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
