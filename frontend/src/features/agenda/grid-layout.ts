import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { addDays, dayOf, minutesOf, timeOf, type Day } from '../../lib/dates.js';

export const DAY_MINUTES = 24 * 60;
const HOUR = 60;
/** The calendar's rows, 06 to 21 (spec 1, section 9), in minutes; sessions outside extend them. */
const FIRST = 6 * HOUR;
const LAST = 22 * HOUR;

/** A time within one day, in minutes since its midnight. */
export interface Stretch {
  start: number;
  end: number;
}

/** The part of a session within one day. */
export interface Part<Item> extends Stretch {
  session: Item;
  /** The session began on the day before. */
  continues: boolean;
}

/** The parts of sessions by day and start; a session over midnight is in both days. */
export function partsByDay<Item extends Session>(
  sessions: readonly Item[],
  days: readonly Day[],
  zone: string,
): Map<Day, Part<Item>[]> {
  const parts = new Map<Day, Part<Item>[]>(days.map((day) => [day, []]));
  for (const session of sessions) {
    const day = dayOf(session.inicio, zone);
    const start = minutesOf(timeOf(session.inicio, zone));
    const end = start + (Date.parse(session.fim) - Date.parse(session.inicio)) / 60_000;
    parts.get(day)?.push({ session, start, end: Math.min(end, DAY_MINUTES), continues: false });
    if (end > DAY_MINUTES)
      parts.get(addDays(day, 1))?.push({ session, start: 0, end: end - DAY_MINUTES, continues: true });
  }
  for (const ofDay of parts.values()) ofDay.sort((one, other) => one.start - other.start);
  return parts;
}

export type Placed<Item extends Stretch> = Item & {
  /** Index among `columns` equally wide columns. */
  column: number;
  columns: number;
};

/** Stretches without a column, counted together. */
export interface Crowd extends Stretch {
  count: number;
  column: number;
  columns: number;
}

export interface Columns<Item extends Stretch> {
  placed: Placed<Item>[];
  crowds: Crowd[];
}

/**
 * Puts overlapping items side by side. Items that are connected by overlaps share the width evenly; if they would need more than
 * `most` columns, the last column counts the remaining items.
 */
export function sideBySide<Item extends Stretch>(items: readonly Item[], most: number): Columns<Item> {
  const sorted = items.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const result: Columns<Item> = { placed: [], crowds: [] };
  /** The current group of connected items: end of each column, and the column of each item. */
  let ends: number[] = [];
  let group: [item: Item, column: number][] = [];
  const finish = () => {
    const columns = Math.min(ends.length, most);
    const room = ends.length > most ? most - 1 : columns;
    for (const [item, column] of group) {
      if (column < room) result.placed.push({ ...item, column, columns });
      else addToCrowd(result.crowds, item, { column: room, columns });
    }
    ends = [];
    group = [];
  };
  for (const item of sorted) {
    if (ends.every((end) => end <= item.start)) finish();
    const free = ends.findIndex((end) => end <= item.start);
    const column = free === -1 ? ends.length : free;
    ends[column] = item.end;
    group.push([item, column]);
  }
  finish();
  return result;
}

/** Adds a stretch to the group of stretches that it overlaps, or to a new one. */
function addToCrowd(crowds: Crowd[], { start, end }: Stretch, place: Pick<Crowd, 'column' | 'columns'>) {
  const last = crowds.at(-1);
  if (last && start < last.end) {
    last.end = Math.max(last.end, end);
    last.count += 1;
  } else crowds.push({ start, end, count: 1, ...place });
}

/** Hours from `from` to `to`, in minutes, and their position in the grid, in pixels. Only `open` ones have sessions. */
export interface Band {
  from: number;
  to: number;
  top: number;
  height: number;
  open: boolean;
}

const CLOSED_HOUR_PX = 11;
const LEAST_CLOSED_PX = 44;
const LEAST_HOUR_PX = 52;
const MOST_HOUR_PX = 96;
/** Smallest height of a session with the gap below it, so that it can be tapped. */
export const LEAST_SESSION_PX = 46;

/** Height of an hour at which the shortest session can still be tapped. */
export function hourHeight(stretches: readonly Stretch[], least = LEAST_HOUR_PX): number {
  const shortest = stretches.reduce((least, { start, end }) => Math.min(least, end - start), HOUR);
  return Math.min(Math.max(Math.ceil((LEAST_SESSION_PX * HOUR) / shortest), least), MOST_HOUR_PX);
}

/**
 * The rows of a grid: a row for each hour with a session (or with `also`, the current hour), and one row for the folded hours
 * between them. They cover 06 to 22, and more if a session or the current hour is outside.
 */
export function bandsOf(stretches: readonly Stretch[], hourPx: number, also?: number): Band[] {
  const open = new Set<number>();
  for (const { start, end } of stretches)
    for (let hour = Math.floor(start / HOUR); hour * HOUR < end; hour += 1) open.add(hour);
  if (also !== undefined) open.add(also);
  const from = Math.min(FIRST, ...[...open].map((hour) => hour * HOUR));
  const to = Math.max(LAST, ...[...open].map((hour) => (hour + 1) * HOUR));
  const bands: Band[] = [];
  for (let minute = from; minute < to; minute += HOUR) {
    const last = bands.at(-1);
    if (open.has(minute / HOUR))
      bands.push({ from: minute, to: minute + HOUR, top: 0, height: hourPx, open: true });
    else if (last && !last.open) last.to = minute + HOUR;
    else bands.push({ from: minute, to: minute + HOUR, top: 0, height: 0, open: false });
  }
  let top = 0;
  for (const band of bands) {
    if (!band.open) band.height = Math.max(((band.to - band.from) / HOUR) * CLOSED_HOUR_PX, LEAST_CLOSED_PX);
    band.top = top;
    top += band.height;
  }
  return bands;
}

/** The times of a day that cannot be booked. */
interface Shut {
  closed: readonly Stretch[];
  blocked: readonly Stretch[];
}

/** The text for folded hours, and which of them it is about; empty where days differ, whose columns show it. */
export function foldOf(
  { from, to }: Pick<Band, 'from' | 'to'>,
  days: readonly Shut[],
): { word: '' | 'livre' | 'bloqueado' | 'fora do horário'; about: Stretch[] } {
  const whole = [{ start: from, end: to }];
  const parts = days.map(({ closed, blocked }) => within(from, to, [...closed, ...blocked]));
  const isShut = (of: readonly Stretch[]) => of.some(({ start, end }) => start === from && end === to);
  if (days.length === 0 || !parts.every(isShut)) {
    if (days.length === 1) return { word: 'livre', about: between(parts[0]!, from, to) };
    return { word: parts.every((shut) => shut.length === 0) ? 'livre' : '', about: whole };
  }
  const isClosed = days.every(({ closed }) => isShut(within(from, to, closed)));
  return { word: isClosed ? 'fora do horário' : 'bloqueado', about: whole };
}

/** What is left between two minutes beside sorted stretches. */
function between(taken: readonly Stretch[], from: number, to: number): Stretch[] {
  const edges = [from, ...taken.flatMap(({ start, end }) => [start, end]), to];
  return Array.from({ length: edges.length / 2 }, (_, at) => ({
    start: edges[2 * at]!,
    end: edges[2 * at + 1]!,
  })).filter(({ start, end }) => start < end);
}

/** The parts of stretches between two minutes; adjacent ones are joined. */
function within(from: number, to: number, stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const { start, end } of stretches.toSorted((one, other) => one.start - other.start)) {
    const part = { start: Math.max(start, from), end: Math.min(end, to) };
    const last = joined.at(-1);
    if (part.start >= part.end) continue;
    if (last && part.start <= last.end) last.end = Math.max(last.end, part.end);
    else joined.push(part);
  }
  return joined;
}

export const heightOf = (bands: readonly Band[]): number =>
  bands.reduce((height, band) => height + band.height, 0);

/** Position of a minute of the day in the grid, in pixels; the nearest one if the minute is not shown. */
export function topOf(minute: number, bands: readonly Band[]): number {
  const band = bands.find(({ to }) => minute < to);
  if (!band) return heightOf(bands);
  return band.top + (Math.max(minute - band.from, 0) / (band.to - band.from)) * band.height;
}

/** The minute of the day at a position of the grid; the nearest one for a position outside. */
export function minuteAt(y: number, bands: readonly Band[]): number {
  const band = bands.find(({ top, height }) => y < top + height) ?? bands.at(-1);
  if (!band) return FIRST;
  const share = Math.min(Math.max((y - band.top) / band.height, 0), 1);
  return band.from + share * (band.to - band.from);
}

/** Step in minutes for dragging a session. */
const STEP_MINUTES = 15;
/** Longest session, as on the server. */
const LONGEST = 6 * HOUR;

const snapped = (minute: number) => Math.round(minute / STEP_MINUTES) * STEP_MINUTES;

/** A session moved to the step nearest to a minute, with the same length and within the day. */
export function movedTo({ start, end }: Stretch, minute: number): Stretch {
  const latest = Math.floor((DAY_MINUTES - 1 - (end - start)) / STEP_MINUTES) * STEP_MINUTES;
  const to = Math.max(Math.min(snapped(minute), latest), 0);
  return { start: to, end: to + end - start };
}

/** A session whose end was moved to the step nearest to a minute: 15 minutes to six hours long, and within the day. */
export function endedAt({ start }: Stretch, minute: number): Stretch {
  const latest = Math.min(start + LONGEST, DAY_MINUTES - STEP_MINUTES);
  return { start, end: Math.max(Math.min(snapped(minute), latest), start + STEP_MINUTES) };
}
