import { onClocks, type Segment, segmentsOf, type Span } from '../../platform/local-time.js';
import { DEFAULT_OPEN, type DateException, type DayRow, type WeekRow } from './availability.api.js';

/** A busy time. `away`: travel time in minutes that stays free around it, if it is longer than the buffer. */
export interface Busy extends Span {
  away?: number;
}

/** Calendar dates, both included. */
export interface VacationDays {
  start_date: string;
  end_date: string;
}

/** A trainer's working hours, in local time of `zone`. */
export interface OpenRules<Vacation extends VacationDays = VacationDays> {
  /** The week. If no row is open, every day has the hours of `DEFAULT_OPEN`. */
  rules: readonly WeekRow[];
  exceptions: readonly DateException[];
  vacations: readonly Vacation[];
  /** IANA name. */
  zone: string;
}

export interface FreeTimesAsked extends OpenRules {
  /** In any order; they may touch and overlap. */
  busy: readonly Busy[];
  /** In milliseconds, like `from` and `to`. */
  now: number;
  from: number;
  to: number;
  /** Length of the session. */
  minutes: number;
  /** Starts are at multiples of this number of minutes since local midnight. */
  step: number;
  /** Minutes that stay free before and after busy times. */
  buffer: number;
  /** Minimum minutes from now until a start. */
  notice: number;
}

export interface FreeTimes {
  /** Free periods that are long enough. */
  stretches: Span[];
  /** In milliseconds. */
  starts: number[];
}

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY = DAY_MINUTES * MINUTE;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** The free times for a session. Pure. */
export function freeTimes(asked: FreeTimesAsked): FreeTimes {
  const { now, minutes, step, buffer, notice, zone, busy } = asked;
  const from = Math.max(asked.from, now + notice * MINUTE);
  if (from >= asked.to) return { stretches: [], starts: [] };
  const window = { from, to: asked.to };
  const segments = segmentsOf(window, zone);
  const taken = busy.map(({ away = 0, ...span }) => {
    const apart = Math.max(buffer, away) * MINUTE;
    return { from: span.from - apart, to: span.to + apart };
  });
  const stretches = without(openIn(window, asked, segments), union(taken)).filter(
    (span) => span.to - span.from >= minutes * MINUTE,
  );
  return { stretches, starts: startsIn(stretches, segments, minutes * MINUTE, step * MINUTE) };
}

/** Why a time is not open, apart from other sessions: the first of these reasons. */
export type Closed<Vacation extends VacationDays> =
  | { reason: 'vacation'; vacation: Vacation }
  /** Local times, `HH:MM`. */
  | { reason: 'blocked'; start_time: string; end_time: string }
  | { reason: 'outside' };

/** Why a time is not open; undefined if all of it is. */
export function closedAt<Vacation extends VacationDays>(
  span: Span,
  rules: OpenRules<Vacation>,
): Closed<Vacation> | undefined {
  const segments = segmentsOf(span, rules.zone);
  for (const vacation of rules.vacations)
    if (vacationsIn(span, [vacation], segments).length > 0) return { reason: 'vacation', vacation };
  const [blocked] = blockedIn(span, rules, segments);
  if (blocked) {
    const [start_time, end_time] = [clockAt(blocked.whole.from), clockAt(blocked.whole.to)];
    return { reason: 'blocked', start_time, end_time };
  }
  const open = openIn(span, rules, segments);
  return open.length === 1 && open[0]!.from === span.from && open[0]!.to === span.to
    ? undefined
    : { reason: 'outside' };
}

/** The weekday (0 is Sunday) of an instant and its open hours in local time, ignoring vacations. */
export function openHours(
  at: number,
  rules: OpenRules,
): { weekday: number; hours: { start_time: string; end_time: string }[] } {
  const [{ weekday, open }] = eachDay(segmentsOf({ from: at, to: at + 1 }, rules.zone), rules) as [OpenDay];
  const hours = open.map(({ from, to }) => ({ start_time: clockAt(from), end_time: clockAt(to) }));
  return { weekday, hours };
}

/**
 * Times between two instants that are blocked by vacations and blocked rows, or that are outside of the working hours, if the
 * trainer has set any (`closed`).
 */
export function blocksIn<Vacation extends VacationDays>(
  span: Span,
  rules: OpenRules<Vacation>,
): { vacations: (Span & { vacation: Vacation })[]; blocked: Span[]; closed: Span[] } {
  const segments = segmentsOf(span, rules.zone);
  const vacations = rules.vacations.flatMap((vacation) =>
    vacationsIn(span, [vacation], segments).map((part) => ({ ...part, vacation })),
  );
  const blocked = union(blockedIn(span, rules, segments).map(({ from, to }) => ({ from, to })));
  const isSet = rules.rules.some(({ is_blocked }) => !is_blocked);
  const rest = isSet
    ? without([span], union([...openIn(span, rules, segments), ...vacations, ...blocked]))
    : [];
  return { vacations, blocked: without(blocked, union(vacations)), closed: rest };
}

/** The vacation's first instant, and the first one after it. */
export function vacationSpan({ start_date, end_date }: VacationDays, zone: string): Span {
  const [first, last] = [dayNumber(start_date) * DAY, (dayNumber(end_date) + 1) * DAY];
  // No zone differs from UTC by more than a day.
  const segments = segmentsOf({ from: first - DAY, to: last + DAY }, zone);
  const spans = onClocks({ from: first, to: last }, segments);
  return { from: spans[0]!.from, to: spans.at(-1)!.to };
}

function vacationsIn(span: Span, vacations: readonly VacationDays[], segments: readonly Segment[]): Span[] {
  return union(
    vacations.flatMap(({ start_date, end_date }) =>
      onClocks({ from: dayNumber(start_date) * DAY, to: (dayNumber(end_date) + 1) * DAY }, segments),
    ),
  ).filter(({ from, to }) => from < span.to && to > span.from);
}

/** Open hours between two instants, ignoring busy times. */
function openIn(span: Span, rules: OpenRules, segments: readonly Segment[]): Span[] {
  const open = eachDay(segments, rules).flatMap((day) => day.open.flatMap((part) => inDay(part, day)));
  return without(union(open), vacationsIn(span, rules.vacations, segments));
}

/** The parts of open hours that blocked rows remove; `whole`: the row, in minutes of its day. */
function blockedIn(span: Span, rules: OpenRules, segments: readonly Segment[]) {
  return eachDay(segments, rules)
    .flatMap((day) =>
      day.blocked.flatMap(({ whole, parts }) =>
        parts.flatMap((part) => inDay(part, day)).map((part) => ({ ...part, whole })),
      ),
    )
    .filter(({ from, to }) => from < span.to && to > span.from)
    .toSorted((one, other) => one.from - other.from);
}

/** The rules of one day, in minutes of local time. */
interface OpenDay {
  weekday: number;
  open: Span[];
  /** Blocked rows, and the parts of each that remove open hours. */
  blocked: { whole: Span; parts: Span[] }[];
  /** Its midnight, in milliseconds of local time. */
  midnight: number;
  segment: Segment;
}

/** The days that the segments touch. */
function eachDay(segments: readonly Segment[], { rules, exceptions }: OpenRules): OpenDay[] {
  const isSet = rules.some(({ is_blocked }) => !is_blocked);
  const usual = Array.from({ length: 7 }, (_, weekday) => {
    const rows = rules.filter(({ day_of_week }) => day_of_week === weekday);
    const blocked = rowSpans(rows, true);
    const open = without(isSet ? rowSpans(rows, false) : [spanOf(DEFAULT_OPEN)], blocked);
    return { weekday, open, blocked: blocked.map((whole) => ({ whole, parts: [whole] })) };
  });
  const byDate = new Map(exceptions.map(({ data, horarios }) => [dayNumber(data), horarios]));
  return segments.flatMap((segment) => {
    const first = Math.floor((segment.from + segment.offset) / DAY);
    const last = Math.floor((segment.to + segment.offset - 1) / DAY);
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const day = first + index;
      const week = usual[(((day + FIRST_WEEKDAY) % 7) + 7) % 7]!;
      const rows = byDate.get(day);
      return { ...(rows ? except(week, rows) : week), midnight: day * DAY, segment };
    });
  });
}

/** A day of the week with the exceptions of its date: open rows are added first, blocked ones removed last. */
function except(
  { weekday, open, blocked }: Pick<OpenDay, 'weekday' | 'open' | 'blocked'>,
  rows: readonly DayRow[],
): Pick<OpenDay, 'weekday' | 'open' | 'blocked'> {
  const [opened, closed] = [rowSpans(rows, false), rowSpans(rows, true)];
  return {
    weekday,
    open: without(union([...open, ...opened]), closed),
    blocked: [
      ...blocked.map(({ whole, parts }) => ({ whole, parts: without(parts, opened) })),
      ...closed.map((whole) => ({ whole, parts: [whole] })),
    ],
  };
}

/** In minutes of the day, by start. */
function rowSpans(rows: readonly DayRow[], blocked: boolean): Span[] {
  return union(rows.filter(({ is_blocked }) => is_blocked === blocked).map(spanOf));
}

function spanOf({ start_time, end_time }: Pick<DayRow, 'start_time' | 'end_time'>): Span {
  return { from: minutesOf(start_time), to: minutesOf(end_time) };
}

/** Minutes of a day as instants, limited to its segment. */
function inDay({ from, to }: Span, { midnight, segment }: OpenDay): Span[] {
  return onClocks({ from: midnight + from * MINUTE, to: midnight + to * MINUTE }, [segment]);
}

function startsIn(
  stretches: readonly Span[],
  segments: readonly Segment[],
  length: number,
  step: number,
): number[] {
  const starts: number[] = [];
  for (const stretch of stretches)
    for (const { from, to, offset } of segments) {
      const last = Math.min(stretch.to - length, to - 1);
      let local = nextStep(Math.max(stretch.from, from) + offset, step);
      while (local - offset <= last) {
        starts.push(local - offset);
        local = nextStep(local + MINUTE, step);
      }
    }
  return starts;
}

/** The first local time from `local` on that is a whole number of steps after midnight. */
function nextStep(local: number, step: number): number {
  const midnight = Math.floor(local / DAY) * DAY;
  const next = midnight + Math.ceil((local - midnight) / step) * step;
  return Math.min(next, midnight + DAY);
}

/** The spans by start, with adjacent and overlapping ones merged. */
function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (from < to) merged.push({ from, to });
  }
  return merged;
}

/** The parts of spans that are in none of the others; both must be sorted and separate. */
function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  const left: Span[] = [];
  let first = 0;
  for (const { from, to } of spans) {
    let start = from;
    while (first < others.length && others[first]!.to <= from) first += 1;
    for (let at = first; at < others.length && others[at]!.from < to; at += 1) {
      if (others[at]!.from > start) left.push({ from: start, to: others[at]!.from });
      start = Math.max(start, others[at]!.to);
    }
    if (start < to) left.push({ from: start, to });
  }
  return left;
}

/** Days since 1970 of a calendar date. */
const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
}

/** `HH:MM` of a minute of the day, up to 24:00. */
function clockAt(minute: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}
