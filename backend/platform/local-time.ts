import { tzOffset, TZDate } from '@date-fns/tz';
import { addMonths, format, getDaysInMonth, parseISO } from 'date-fns';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** `[from, to)` in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** The calendar date that contains an instant in the zone. */
export const dateOf = (at: Date | string | number, zone: string): string =>
  new Date(clocksAt(new Date(at).getTime(), zone)).toISOString().slice(0, 10);

/** The instant with the same local time a number of days later. */
export const daysLater = (at: number, days: number, zone: string): number =>
  atClocks(clocksAt(at, zone) + days * DAY, zone);

/** The local time of an instant in a zone, as milliseconds since 1970 in local time. */
export const clocksAt = (at: number, zone: string): number =>
  at + segmentsOf({ from: at, to: at + 1 }, zone)[0]!.offset;

/** The instant of a local time; the first one if it occurs twice, and the next existing time if it is skipped. */
export function atClocks(local: number, zone: string): number {
  const segments = segmentsOf({ from: local - DAY, to: local + DAY }, zone);
  const segment = segments.find(({ from, to, offset }) => local >= from + offset && local < to + offset);
  return segment ? local - segment.offset : segments.find(({ from, offset }) => from + offset > local)!.from;
}

/** A period without a clock change. `offset`: milliseconds that are added to UTC. */
export interface Segment extends Span {
  offset: number;
}

const offsetAt = (at: number, zone: string) => Math.round(tzOffset(zone, new Date(at)) * MINUTE);

/** Length of the blocks for which clock changes are computed together. */
const BLOCK = 32 * DAY;
/** Cache of the blocks' segments by zone and number: they never change, and computing them is slow. */
const known = new Map<string, Segment[]>();
const MOST_KNOWN = 2_000;

/** The time between two instants, divided where clocks change. */
export function segmentsOf({ from, to }: Span, zone: string): Segment[] {
  const segments: Segment[] = [];
  for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block += 1)
    for (const part of knownSegments(block, zone)) {
      const own = { from: Math.max(part.from, from), to: Math.min(part.to, to), offset: part.offset };
      const last = segments.at(-1);
      if (own.from >= own.to) continue;
      if (last?.offset === own.offset) last.to = own.to;
      else segments.push(own);
    }
  return segments;
}

function knownSegments(block: number, zone: string): Segment[] {
  const key = `${zone} ${block}`;
  let segments = known.get(key);
  if (!segments) {
    segments = changesIn({ from: block * BLOCK, to: (block + 1) * BLOCK }, zone);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, segments);
  }
  return segments;
}

function changesIn({ from, to }: Span, zone: string): Segment[] {
  const segments: Segment[] = [];
  let start = from;
  let offset = offsetAt(from, zone);
  for (let at = from; at < to;) {
    const next = Math.min(at + DAY, to);
    const after = offsetAt(next, zone);
    if (after !== offset) {
      let [same, changed] = [at, next];
      while (changed - same > 1) {
        const middle = Math.floor((same + changed) / 2);
        if (offsetAt(middle, zone) === offset) same = middle;
        else changed = middle;
      }
      segments.push({ from: start, to: changed, offset });
      start = changed;
      offset = offsetAt(changed, zone);
      at = changed;
    } else at = next;
  }
  if (start < to) segments.push({ from: start, to, offset });
  return segments;
}

/** The instants with a local time in `[from, to)`, given as milliseconds since 1970 in local time. */
export function onClocks({ from, to }: Span, segments: readonly Segment[]): Span[] {
  return segments
    .map((segment) => ({
      from: Math.max(from - segment.offset, segment.from),
      to: Math.min(to - segment.offset, segment.to),
    }))
    .filter((span) => span.from < span.to);
}

/** Work that is due on a day is done from this hour on, in the tenant's time zone. */
const HOUR = 6;

/** Months are represented by their first days, such as `2026-12-01`. */
export const monthAfter = (mes: string, months = 1): string =>
  format(addMonths(parseISO(mes), months), 'yyyy-MM-dd');

export const latestMonth = (...months: readonly string[]): string =>
  months.reduce((latest, mes) => (mes > latest ? mes : latest));

/** The last month in which this day has begun, at 6:00 in the zone. */
export function monthReached(now: Date, timezone: string, day: number): string {
  const local = new TZDate(now, timezone);
  const first = format(local, 'yyyy-MM-01');
  const isEarly = local.getDate() < day || (local.getDate() === day && local.getHours() < HOUR);
  return isEarly ? format(addMonths(parseISO(first), -1), 'yyyy-MM-dd') : first;
}

/** `2026-12-05` for day 5 of December; a day that the month lacks is its last one. */
export const dayOfMonth = (mes: string, day: number): string =>
  `${mes.slice(0, 8)}${String(Math.min(day, getDaysInMonth(parseISO(mes)))).padStart(2, '0')}`;
