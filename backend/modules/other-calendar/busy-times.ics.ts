import ICAL from 'ical.js';
import { type CalendarEvent, eventOf, tried, Unreadable, writtenOf } from './calendar-event.ics.js';
import { CalendarLines, NoCalendar, type Property } from './calendar-lines.js';
import { timeOf, type Written, Zones } from './calendar-zones.ics.js';

/** What is asked of a calendar. */
export interface BusyAsked {
  /** The period of interest, in milliseconds since 1970. */
  from: number;
  to: number;
  /** IANA name: the zone for whole days, and for times without a known one. */
  zone: string;
}

type BusySpan = [from: number, to: number];

export interface BusyTimes {
  /** Separate, by start. */
  busy: BusySpan[];
  /** Number of events that could not be read, or not in full. */
  ignored: number;
}

export type BusyAnswer = BusyTimes | { failure: 'formato' | 'incompleto' | 'repeticoes' };

const MOST_EVENTS = 20_000;
/** For the repetitions of one event: an hourly one for a year, or a daily one of which the number is given for 27 years. */
const MOST_STEPS_EACH = 10_000;
const MOST_STEPS = 200_000;
const MOST_SPANS = 120_000;
const MOST_STRETCHES = 5_000;
const DAY = 86_400_000;
/** Between two repetitions, because the library counts the days in between one by one. */
const LONGEST_PERIOD = 10_000 * DAY;
/** Local times are compared with the period before their zones are known. */
const SLACK = 2 * DAY;
/** The longest occurrence whose replacement is looked for. */
const LONGEST = 32 * DAY;

/** The calendar is given up. */
class TooMany extends Error {}

/** An occurrence that another event replaces. */
interface Replacement {
  at: number;
  by: CalendarEvent;
}

/** Reads the busy times of a calendar as it arrives. Runs in a thread of its own, because the calendar may be anybody's. */
export class BusyReader {
  private readonly zones: Zones;
  private readonly lines: CalendarLines;
  private readonly events = new Map<string, CalendarEvent[]>();
  private kept = 0;
  private ignored = 0;
  private steps = 0;
  private readonly spans: BusySpan[] = [];

  constructor(private readonly asked: BusyAsked) {
    this.zones = new Zones(asked.zone);
    this.lines = new CalendarLines({
      event: (properties) => this.take(properties),
      zone: (text) => this.zones.define(text),
    });
  }

  /** Returns the answer as soon as it is known: null means more is needed. */
  push(bytes: Uint8Array): BusyAnswer | null {
    return answered(() => {
      this.lines.push(bytes);
      return null;
    });
  }

  end(): BusyAnswer {
    return answered((): BusyAnswer => {
      this.lines.end();
      for (const same of this.events.values()) this.readEvents(same);
      return { busy: merged(this.spans), ignored: this.ignored };
    });
  }

  /** Keeps an event that matters for the period. The others are dropped at once: calendars contain their whole past. */
  private take(properties: Property[] | null): void {
    const event = properties && tried(() => eventOf(properties));
    if (!event) {
      this.ignored += 1;
      return;
    }
    const { uid = `#${this.kept}` } = event;
    if (uid.endsWith('@rende') || !this.matters(event)) return;
    this.kept += 1;
    if (this.kept > MOST_EVENTS) throw new TooMany();
    const same = this.events.get(uid);
    if (same) same.push(event);
    else this.events.set(uid, [event]);
  }

  private matters({ start, end, duration, isBusy, replaces, isRanged, rules, more }: CalendarEvent): boolean {
    const isNear = (from: number, to: number) =>
      to >= this.asked.from - SLACK && from <= this.asked.to + SLACK;
    if (isRanged || (replaces && isNear(replaces.local, replaces.local + LONGEST))) return true;
    if (!isBusy) return false;
    const length = end ? end.local - start.local : duration;
    const last = Math.max(start.local, ...rules.map((rule) => lastStart(rule, start.local)));
    return isNear(start.local, more.length > 0 ? Infinity : last + length);
  }

  /**
   * Reads the events with one UID. All that replace no occurrence count, since some calendars use a UID for several events.
   */
  private readEvents(same: readonly CalendarEvent[]): void {
    const replaced = same.flatMap((event): Replacement[] => {
      const { replaces, start } = event;
      return replaces ? [{ at: this.zones.instantOf(inZoneOf(start, replaces)), by: event }] : [];
    });
    for (const event of same) if (!this.readEvent(event, event.replaces ? [] : replaced)) this.ignored += 1;
  }

  /** Whether it could be read in full. */
  private readEvent(event: CalendarEvent, replaced: readonly Replacement[]): boolean {
    const { start, rules, more, isWhole } = event;
    const occur = this.occurrencesOf(event, replaced);
    occur(start);
    for (const { start: at, end, duration } of more) {
      const time =
        at.isDate && !start.isDate
          ? { ...start, local: at.local + start.local - dayOf(start.local) }
          : inZoneOf(start, at);
      occur(time, end ?? (duration === null ? null : { ...time, local: time.local + duration }));
    }
    let isRead = isWhole;
    let left = MOST_STEPS_EACH;
    const step = () => {
      left -= 1;
      this.steps += 1;
      if (this.steps > MOST_STEPS) throw new TooMany();
      if (left < 0) throw new Unreadable();
    };
    for (const rule of rules) {
      try {
        this.repeat(event, rule, occur, step);
      } catch (error) {
        if (error instanceof TooMany) throw error;
        // Also what the library refuses; the occurrences until here are busy.
        isRead = false;
      }
    }
    return isRead;
  }

  /** Returns what adds an occurrence, unless it is excluded or replaced. */
  private occurrencesOf(event: CalendarEvent, replaced: readonly Replacement[]) {
    const { start, except } = event;
    const without = except.map((time) => inZoneOf(start, time));
    const instants = new Set([
      ...replaced.map(({ at }) => at),
      ...without.map((time) => this.zones.instantOf(time)),
    ]);
    const dates = [...replaced.map(({ by }) => by.replaces!), ...without].filter(({ isDate }) => isDate);
    const days = new Set(dates.map(({ local }) => local));
    const ranged = replaced.filter(({ by }) => by.isRanged).toSorted((one, other) => other.at - one.at);
    return (time: Written, end: Written | null = null): void => {
      const at = this.zones.instantOf(time);
      if (instants.has(at) || days.has(dayOf(time.local))) return;
      const change = ranged.find((each) => each.at <= at);
      if (!change) this.addSpan(event, at, end ? this.zones.instantOf(end) : this.endOf(event, time, at));
      else {
        const { by } = change;
        const from = at + this.zones.instantOf(by.start) - change.at;
        this.addSpan(by, from, from + this.endOf(by, by.start) - this.zones.instantOf(by.start));
      }
    };
  }

  /** The end of an occurrence: whole days are counted as days, at least one; other lengths as time. */
  private endOf(
    { start, end, duration }: CalendarEvent,
    time: Written,
    at = this.zones.instantOf(time),
  ): number {
    if (start.isDate) {
      const days = Math.max(DAY, end ? end.local - start.local : duration);
      return this.zones.instantOf({ ...time, local: time.local + days });
    }
    return at + (end ? this.zones.instantOf(end) - this.zones.instantOf(start) : duration);
  }

  private repeat(
    { start, end, duration }: CalendarEvent,
    text: string,
    occur: (time: Written) => void,
    step: () => void,
  ): void {
    const { from, to } = this.asked;
    const untilText = /(?:^|;)UNTIL=([^;]*)/i.exec(text)?.[1];
    const until = untilText === undefined ? Infinity : this.lastOf(inZoneOf(start, writtenOf(untilText, {})));
    const rule = ICAL.Recur.fromString(text.replace(/(^|;)UNTIL=[^;]*/i, ''));
    const period = (periods[rule.freq] ?? DAY) * rule.interval;
    if (!(period > 0 && period <= LONGEST_PERIOD)) throw new Unreadable();
    const early = from - SLACK - Math.max(duration, end ? end.local - start.local : 0);
    const last = to + SLACK;
    // Without a number of occurrences, the first ones that matter are found at once.
    const isShiftable = rule.freq in periods && !rule.count;
    const skipped = isShiftable ? Math.max(0, Math.floor((early - start.local) / period)) : 0;
    if (isShiftable && (last - early) / period > MOST_STEPS_EACH) throw new Unreadable();
    rule.until = timeOf(last);
    const iterator = rule.iterator(timeOf(start.local + skipped * period));
    const matches = iterator.check_contracting_rules.bind(iterator);
    // The library looks on without end for an occurrence that a rule never has.
    iterator.check_contracting_rules = () => {
      step();
      return matches();
    };
    for (let next = iterator.next(); next; next = iterator.next()) {
      const local = Date.UTC(next.year, next.month - 1, next.day, next.hour, next.minute, next.second);
      if (local > last) return;
      if (local < early) continue;
      const time = { ...start, local };
      if (this.zones.instantOf(time) > until) return;
      occur(time);
    }
  }

  /** The last instant of UNTIL, which includes the whole day of a date. */
  private lastOf(until: Written): number {
    return until.isDate
      ? this.zones.instantOf({ ...until, isDate: false, local: until.local + DAY }) - 1
      : this.zones.instantOf(until);
  }

  private addSpan({ isBusy }: CalendarEvent, start: number, end: number): void {
    const [from, to] = [Math.max(start, this.asked.from), Math.min(end, this.asked.to)];
    if (!isBusy || !(from < to)) return;
    const last = this.spans.at(-1);
    if (last && last[0] <= from && from <= last[1]) last[1] = Math.max(last[1], to);
    else this.spans.push([from, to]);
    if (this.spans.length > MOST_SPANS) throw new TooMany();
  }
}

/** Periods that are equally long in local time. */
const periods: Readonly<Record<string, number>> = {
  SECONDLY: 1_000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: DAY,
  WEEKLY: 7 * DAY,
};

const dayOf = (local: number) => Math.floor(local / DAY) * DAY;

/** The latest time at which a rule may still repeat: exact enough to drop what is long over. */
function lastStart(rule: string, start: number): number {
  const partOf = (name: string) => new RegExp(`(?:^|;)${name}=([^;]*)`, 'i').exec(rule)?.[1];
  const until = partOf('UNTIL');
  if (until !== undefined) return tried(() => writtenOf(until, {}))?.local ?? Infinity;
  const count = Number(partOf('COUNT') ?? Infinity);
  const freq = partOf('FREQ')?.toUpperCase() ?? '';
  // Others leave out periods.
  const isInEach = freq === 'WEEKLY' ? !/BY(?!DAY)/i.test(rule) : freq === 'DAILY' && !/BY/i.test(rule);
  return isInEach ? start + count * Number(partOf('INTERVAL') ?? 1) * periods[freq]! : Infinity;
}

/** A time without a zone of its own is in the event's. */
const inZoneOf = ({ tzid }: Written, time: Written): Written => ({ ...time, tzid: time.tzid || tzid });

function answered<Answer>(work: () => Answer): Answer | BusyAnswer {
  try {
    return work();
  } catch (error) {
    if (error instanceof NoCalendar) return { failure: error.kind };
    if (error instanceof TooMany) return { failure: 'repeticoes' };
    throw error;
  }
}

/** Merges overlapping and adjacent periods. */
function merged(spans: readonly BusySpan[]): BusySpan[] {
  const all: BusySpan[] = [];
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  if (all.length > MOST_STRETCHES) throw new TooMany();
  return all;
}
