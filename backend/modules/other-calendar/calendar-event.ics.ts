import ICAL from 'ical.js';
import type { Property } from './calendar-lines.js';
import type { Written } from './calendar-zones.ics.js';

/** One event of a calendar cannot be read. */
export class Unreadable extends Error {}

export interface CalendarEvent {
  /** Undefined if it has none. */
  uid: string | undefined;
  start: Written;
  /** Null: `duration` after its start, in milliseconds. */
  end: Written | null;
  duration: number;
  isBusy: boolean;
  /** The occurrence that this event replaces; `isRanged`: and those after it. */
  replaces: Written | null;
  isRanged: boolean;
  rules: string[];
  /** Further occurrences; without an end and a duration, as long as the first. */
  more: { start: Written; end: Written | null; duration: number | null }[];
  except: Written[];
  /** Whether all of its further occurrences could be read. */
  isWhole: boolean;
}

const DAY = 86_400_000;

/** @throws Unreadable without a start that can be read, or with an end that cannot */
export function eventOf(properties: readonly Property[]): CalendarEvent {
  const named = new Map<string, Property[]>();
  for (const property of properties) {
    const same = named.get(property.name);
    if (same) same.push(property);
    else named.set(property.name, [property]);
  }
  const all = (name: string) => named.get(name) ?? [];
  const valueOf = (name: string) => all(name)[0]?.value;
  const timeOf = (name: string) => {
    const [property] = all(name);
    return property ? writtenOf(property.value, property.params) : null;
  };
  const start = timeOf('DTSTART');
  if (!start) throw new Unreadable();
  const isRepeatable = all('RECURRENCE-ID').length === 0;
  const more = all('RDATE').flatMap(({ value, params }) =>
    value.split(',').map((each) => furtherOf(each, params)),
  );
  return {
    uid: valueOf('UID'),
    start,
    ...lengthOf(start, timeOf('DTEND'), valueOf('DURATION')),
    isBusy:
      valueOf('STATUS')?.toUpperCase() !== 'CANCELLED' && valueOf('TRANSP')?.toUpperCase() !== 'TRANSPARENT',
    replaces: tried(() => timeOf('RECURRENCE-ID')),
    isRanged: all('RECURRENCE-ID').some(({ params }) => params['RANGE'] === 'THISANDFUTURE'),
    rules: isRepeatable ? all('RRULE').map(({ value }) => value) : [],
    more: isRepeatable ? more.filter((each) => each !== null) : [],
    // A date that cannot be read excludes nothing.
    except: all('EXDATE').flatMap(({ value, params }) =>
      value.split(',').flatMap((each) => tried(() => writtenOf(each, params)) ?? []),
    ),
    isWhole: !more.includes(null),
  };
}

function lengthOf(start: Written, end: Written | null, duration: string | undefined) {
  if (!end && duration !== undefined) return { end: null, duration: durationOf(duration) };
  if (start.isDate && !end) return { end: null, duration: DAY };
  if (!start.isDate && end?.tzid === start.tzid && end.local < start.local) throw new Unreadable();
  return { end, duration: 0 };
}

/** A date of RDATE, or a period; null if it cannot be read. */
function furtherOf(text: string, params: Property['params']) {
  return tried(() => {
    const [from = '', to] = text.split('/');
    const start = writtenOf(from, params);
    if (to === undefined) return { start, end: null, duration: null };
    return to.startsWith('P')
      ? { start, end: null, duration: durationOf(to) }
      : { start, end: writtenOf(to, params), duration: null };
  });
}

function durationOf(text: string): number {
  const duration = tried(() => ICAL.Duration.fromString(text).toSeconds() * 1000);
  if (duration === null || !(duration >= 0)) throw new Unreadable();
  return duration;
}

/** @throws Unreadable */
export function writtenOf(text: string, params: Property['params']): Written {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z)?)?$/i.exec(text.trim());
  if (!found) throw new Unreadable();
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second);
  const isOfCalendar =
    new Date(local).getUTCDate() === day && month! >= 1 && month! <= 12 && hour! < 24 && minute! < 60;
  if (!isOfCalendar || year! < 1) throw new Unreadable();
  return { local, isDate: found[4] === undefined, tzid: found[7] ? 'UTC' : (params['TZID'] ?? '') };
}

/** Null where it fails. */
export function tried<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
