import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { minutesOf, type Time } from '../../lib/dates.js';
import type { Part, Stretch } from './grid-layout.js';

/** Shorter times between sessions are not offered. */
const SHORTEST_GAP_MINUTES = 30;
/** Gaps begin at full quarters of an hour. */
const STEP_MINUTES = 15;

export type DayRow<Item> =
  | { kind: 'session'; at: number; session: Item }
  | { kind: 'gap'; at: number; end: number }
  | { kind: 'blocked'; at: number; end: number; label: string }
  | { kind: 'now'; at: number };

/** The gaps between the sessions of a day that are not cancelled, from the minute `from` on. */
export function gapsBetween(busy: readonly Stretch[], from: number): Stretch[] {
  const gaps: Stretch[] = [];
  let free: number | undefined;
  for (const { start, end } of busy.toSorted((one, other) => one.start - other.start)) {
    if (free !== undefined)
      gaps.push({ start: Math.max(free, Math.ceil(from / STEP_MINUTES) * STEP_MINUTES), end: start });
    free = Math.max(free ?? 0, end);
  }
  return gaps.filter(({ start, end }) => end - start >= SHORTEST_GAP_MINUTES);
}

/** The future parts of free stretches, starting at a full step. */
function offered(free: readonly Stretch[], from: number): Stretch[] {
  return free
    .map(({ start, end }) => ({
      start: Math.ceil(Math.max(start, from) / STEP_MINUTES) * STEP_MINUTES,
      end,
    }))
    .filter(({ start, end }) => end - start >= SHORTEST_GAP_MINUTES);
}

interface DayFacts {
  now?: Time | undefined;
  isPast: boolean;
  free?: readonly Stretch[] | undefined;
  blocked?: readonly (Stretch & { label: string })[] | undefined;
}

const order = { now: 0, blocked: 1, gap: 2, session: 3 };

/**
 * The rows of a day's list: sessions by start, blocked times, free times (from the server, or else the gaps between sessions),
 * and the line of the current time. For today (`now`) only future gaps are offered, for a past day (`isPast`) none.
 */
export function dayRows<Item extends Session>(
  parts: readonly Part<Item>[],
  { now, isPast, free, blocked = [] }: DayFacts,
): DayRow<Item>[] {
  const busy = parts.filter(({ session }) => session.status !== 'cancelada');
  const minute = now === undefined ? undefined : minutesOf(now);
  const rows: DayRow<Item>[] = parts.map(({ session, start }) => ({ kind: 'session', at: start, session }));
  if (!isPast)
    for (const { start, end } of free ? offered(free, minute ?? 0) : gapsBetween(busy, minute ?? 0))
      rows.push({ kind: 'gap', at: start, end });
  for (const { start, end, label } of blocked) rows.push({ kind: 'blocked', at: start, end, label });
  if (minute !== undefined) rows.push({ kind: 'now', at: minute });
  return rows.toSorted((one, other) => one.at - other.at || order[one.kind] - order[other.kind]);
}
