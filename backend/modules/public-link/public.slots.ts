import {
  type Busy,
  clocksAt,
  daysLater,
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
export function shownSpan({ dias }: Pick<Limits, 'dias'>, now: number, zone: string): Span {
  const midnight = now - (clocksAt(now, zone) % DAY);
  return { from: now, to: daysLater(midnight, dias, zone) };
}

/** Every start that can be booked: one session's length apart, with room for the session and what stays free around it. */
export function bookableStarts({ settings, rules, busy, now }: SlotsAsked): number[] {
  const { duracao_min: minutes, intervalo_min: buffer, antecedencia_min: notice } = settings;
  const span = shownSpan(settings, now, rules.zone);
  const step = Math.ceil(minutes / GRID) * GRID;
  return freeTimes({ ...rules, ...span, busy, now, minutes, step, buffer, notice }).starts;
}

/** Those that are shown of what can be booked: the first ones of each day. */
export function offeredStarts(bookable: readonly number[], { por_dia }: Limits, zone: string): number[] {
  const shown = new Map<number, number>();
  return bookable.filter((start) => {
    const day = Math.floor(clocksAt(start, zone) / DAY);
    const count = (shown.get(day) ?? 0) + 1;
    shown.set(day, count);
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
  inicio: new Date(start).toISOString(),
  fim: new Date(start + duracao_min * MINUTE).toISOString(),
});
