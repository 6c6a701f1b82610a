import { atClocks, clocksAt, type Span } from '../../platform/local-time.js';
import { type Busy, freeTimes, type OpenRules } from '../availability/free-times.js';
import type { LinkSettings } from './public-link.api.js';
import { type DayPart, dayParts } from './waitlist.api.js';

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
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
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

/**
 * All starts that can be booked: a session's duration apart, with room for the session and its margins. Where none of these fits
 * into a gap although a session would, one more: right after what is before the gap or, if time has begun to use it up, right
 * before what follows. So no two starts exclude each other.
 */
export function bookableStarts({ settings, rules, busy, now }: SlotsAsked): number[] {
  const { duracao_min: minutes, intervalo_min: buffer, antecedencia_min: notice } = settings;
  const span = shownSpan(settings, now, rules.zone);
  const step = Math.ceil(minutes / GRID) * GRID;
  const { stretches, starts } = freeTimes({ ...rules, ...span, busy, now, minutes, step, buffer, notice });
  let next = 0;
  return stretches.flatMap(({ from, to }) => {
    const begun = next;
    while (starts[next]! < to) next += 1;
    if (next > begun) return starts.slice(begun, next);
    const last = to - minutes * MINUTE;
    const quarter = GRID * MINUTE;
    const hasBegun = from === now + notice * MINUTE;
    const start = hasBegun ? Math.floor(last / quarter) * quarter : Math.ceil(from / quarter) * quarter;
    return from <= start && start <= last ? [start] : [];
  });
}

export function partAt(at: number, zone: string): DayPart {
  const hour = (clocksAt(at, zone) % DAY) / HOUR;
  return hour < 12 ? 'manha' : hour < 18 ? 'tarde' : 'noite';
}

/**
 * The starts that are shown, of those that can be booked, in order: so many of each day, spread over its parts. `wished`: a part
 * whose times come first. Which ones are shown does not matter for booking: each bookable time can be booked.
 */
export function offeredStarts(
  bookable: readonly number[],
  { por_dia }: Pick<Limits, 'por_dia'>,
  zone: string,
  wished: DayPart | null = null,
): number[] {
  const days: number[][] = [];
  let dayEnds = -Infinity;
  for (const start of bookable) {
    if (start >= dayEnds) {
      dayEnds = midnightAfter(start, 1, zone);
      days.push([]);
    }
    days.at(-1)!.push(start);
  }
  return days.flatMap((day) => spread(day, por_dia, zone, wished));
}

/** So many of a day's starts. The parts share equally, as far as each has times; the rest goes to those with the most left. */
function spread(day: readonly number[], most: number, zone: string, wished: DayPart | null): number[] {
  if (day.length <= most) return [...day];
  const parts = dayParts.map((part) => day.filter((start) => partAt(start, zone) === part));
  const shares = dayParts.map((part, n) => (part === wished ? Math.min(parts[n]!.length, most) : 0));
  const left = (n: number) => parts[n]!.length - shares[n]!;
  for (let given = shares.reduce((sum, share) => sum + share); given < most; given += 1) {
    const next = [0, 1, 2]
      .filter((n) => left(n) > 0)
      .toSorted((one, other) => shares[one]! - shares[other]! || left(other) - left(one))[0]!;
    shares[next]! += 1;
  }
  return parts.flatMap((starts, n) =>
    Array.from({ length: shares[n]! }, (_, at) => starts[Math.floor((at * starts.length) / shares[n]!)]!),
  );
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
