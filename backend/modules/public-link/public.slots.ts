import { tzOffset } from '@date-fns/tz';
import { daysLater, freeTimes, type OpenRules, type Span } from '../availability/free-times.js';
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
  busy: readonly Span[];
  /** Milliseconds. */
  now: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Minutes: starts are at quarters of an hour. */
const GRID = 15;

const offsetAt = (at: number, zone: string) => Math.round(tzOffset(zone, new Date(at)) * MINUTE);
/** Days since 1970 by the clocks. */
const dayOf = (at: number, zone: string) => Math.floor((at + offsetAt(at, zone)) / DAY);

/** From now to the end of the last day that is shown. */
export function shownSpan({ dias }: Pick<Limits, 'dias'>, now: number, zone: string): Span {
  const midnight = now - ((now + offsetAt(now, zone)) % DAY);
  return { from: now, to: daysLater(midnight, dias, zone) };
}

/** Every start that can be booked: one session's length apart, with room for the session and what stays free around it. */
export function bookableStarts({ settings, rules, busy, now }: SlotsAsked): number[] {
  const { duracao_min: minutes, intervalo_min: buffer, antecedencia_min: notice } = settings;
  const span = shownSpan(settings, now, rules.zone);
  const step = Math.ceil(minutes / GRID) * GRID;
  return freeTimes({ ...rules, ...span, busy, now, minutes, step, buffer, notice }).starts;
}

/** Those that are shown: the first ones of each day. */
export function offeredStarts(asked: SlotsAsked): number[] {
  const taken = new Map<number, number>();
  return bookableStarts(asked).filter((start) => {
    const day = dayOf(start, asked.rules.zone);
    const count = taken.get(day) ?? 0;
    taken.set(day, count + 1);
    return count < asked.settings.por_dia;
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
