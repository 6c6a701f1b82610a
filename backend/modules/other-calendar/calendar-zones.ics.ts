import { TZDate } from '@date-fns/tz';
import ICAL from 'ical.js';
import { windowsZones } from './windows-zones.js';

/** A time as it is written in a calendar. */
export interface Written {
  /** The local time as if it were in UTC, in milliseconds: to compare and to count with. */
  local: number;
  isDate: boolean;
  /** `UTC`, a TZID, or '' without one. */
  tzid: string;
}

const MOST_DEFINED = 200;
const DAY = 86_400_000;

/** Turns the times of a calendar into instants. */
export class Zones {
  private readonly texts = new Map<string, string>();
  private readonly defined = new Map<string, ICAL.Timezone | null>();
  private readonly names = new Map<string, string>();
  /** By zone and day; null for a day on which the clocks change. */
  private readonly offsets = new Map<string, number | null>();

  /** @param own zone for whole days, and for times without a known one */
  constructor(private readonly own: string) {}

  /** @param text a VTIMEZONE, which may follow the events that use it */
  define(text: string): void {
    const tzid = /^TZID[^:]*:(.*)$/im.exec(text)?.[1]?.trim();
    if (tzid && this.texts.size < MOST_DEFINED) this.texts.set(tzid, text);
  }

  /** A zone that the calendar defines is used as defined, any other by its name. */
  instantOf({ local, isDate, tzid }: Written): number {
    if (isDate || tzid === '') return this.inZone(local, this.own);
    if (tzid === 'UTC') return local;
    const defined = this.definedAs(tzid);
    return defined ? local - defined.utcOffset(timeOf(local)) * 1000 : this.inZone(local, this.named(tzid));
  }

  /** Finding an offset takes many times as long as a repetition, so it is found once for a day. */
  private inZone(local: number, zone: string): number {
    const day = Math.floor(local / DAY) * DAY;
    const key = `${zone} ${day}`;
    let offset = this.offsets.get(key);
    if (offset === undefined) {
      const before = day - inZone(day, zone);
      offset = day + DAY - inZone(day + DAY, zone) === before ? before : null;
      this.offsets.set(key, offset);
    }
    return offset === null ? inZone(local, zone) : local - offset;
  }

  private definedAs(tzid: string): ICAL.Timezone | null {
    const known = this.defined.get(tzid);
    if (known !== undefined) return known;
    const text = this.texts.get(tzid);
    const zone = text === undefined ? null : zoneOf(text);
    this.defined.set(tzid, zone);
    return zone;
  }

  private named(tzid: string): string {
    const known = this.names.get(tzid);
    if (known !== undefined) return known;
    const name = zoneNamed(tzid) ?? this.own;
    this.names.set(tzid, name);
    return name;
  }
}

/** Null if the definition cannot be read: then the name is all there is. */
function zoneOf(text: string): ICAL.Timezone | null {
  try {
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(text) as never));
    zone.utcOffset(timeOf(0));
    return zone;
  } catch {
    return null;
  }
}

/** The IANA name, or the offset, of a zone that a calendar only names. */
function zoneNamed(tzid: string): string | undefined {
  const windows = windowsZones[tzid];
  if (windows) return windows;
  // Some programs put their own path before the name: /mozilla.org/20071231_1/America/Sao_Paulo
  const parts = tzid.split('/');
  const found = [parts, parts.slice(-3), parts.slice(-2)].map((some) => some.join('/')).find(isZone);
  if (found) return found;
  const [, sign, hours = '', minutes = '00'] = /(?:UTC|GMT) ?([+-])(\d\d?)(?::?(\d\d))?/i.exec(tzid) ?? [];
  return sign && `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}

function inZone(local: number, zone: string): number {
  const time = new Date(local);
  return new TZDate(
    ...([time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()] as const),
    ...([time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()] as const),
    zone,
  ).getTime();
}

/** The library's time without a zone. */
export const timeOf = (local: number): ICAL.Time =>
  ICAL.Time.fromDateTimeString(new Date(local).toISOString().slice(0, 19));
