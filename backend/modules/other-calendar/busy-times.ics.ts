import { TZDate } from '@date-fns/tz';
import ICAL from 'ical.js';

/** Input for reading a calendar. */
export interface BusyAsked {
  text: string;
  /** The period of interest, in milliseconds since 1970. */
  from: number;
  to: number;
  /** IANA name: the zone for times without a known one. */
  zone: string;
}

type BusySpan = [from: number, to: number];

/** Separate busy periods by start, or the failure. */
export type BusyAnswer = { busy: BusySpan[] } | { failure: 'formato' | 'repeticoes' };

const MOST_EVENTS = 20_000;
/** Maximum of occurrences in total: ten daily events over thirty years. */
const MOST_STEPS = 120_000;
const MOST_STRETCHES = 5_000;
const DAY = 86_400_000;

/** The library's types are less exact. */
interface Occurrence {
  item: ICAL.Event;
  startDate: ICAL.Time;
  endDate: ICAL.Time;
}

class TooMany extends Error {}

/** Names that Outlook gives to the zones of Brazil. */
const windowsZones: Readonly<Record<string, string>> = {
  'E. South America Standard Time': 'America/Sao_Paulo',
  'Central Brazilian Standard Time': 'America/Cuiaba',
  'SA Western Standard Time': 'America/Manaus',
  'SA Eastern Standard Time': 'America/Fortaleza',
  'Bahia Standard Time': 'America/Bahia',
  'Tocantins Standard Time': 'America/Araguaina',
  'SA Pacific Standard Time': 'America/Rio_Branco',
};

/**
 * The busy times in a calendar. Runs in its own thread, which is ended if it takes too long, because the text may come from
 * anybody.
 */
export function busyTimes(asked: BusyAsked): BusyAnswer {
  try {
    const spans = new Reader(asked).read();
    return { busy: merged(spans, asked) };
  } catch (error) {
    return { failure: error instanceof TooMany ? 'repeticoes' : 'formato' };
  }
}

class Reader {
  private steps = 0;
  private readonly spans: BusySpan[] = [];

  constructor(private readonly asked: BusyAsked) {}

  read(): BusySpan[] {
    const text = this.asked.text.replace(/^\uFEFF?\s*/, '');
    if (!/^BEGIN:VCALENDAR\r?$/im.test(text.slice(0, 100))) throw new Error('no calendar');
    const parsed = ICAL.parse(text) as unknown[];
    const calendars = typeof parsed[0] === 'string' ? [parsed] : parsed;
    for (const each of calendars) this.readCalendar(new ICAL.Component(each as never));
    return this.spans;
  }

  private readCalendar(calendar: ICAL.Component): void {
    const components = calendar.getAllSubcomponents('vevent');
    if (components.length > MOST_EVENTS) throw new TooMany();
    const byUid = new Map<string, ICAL.Component[]>();
    for (const component of components) {
      const uid = String(component.getFirstPropertyValue('uid') ?? `#${byUid.size}`);
      byUid.set(uid, [...(byUid.get(uid) ?? []), component]);
    }
    for (const [uid, parts] of byUid) if (!uid.endsWith('@rende')) this.readEvent(parts);
  }

  /** Reads an event with its changed occurrences. An unreadable event is skipped. */
  private readEvent(parts: readonly ICAL.Component[]): void {
    const main = parts.find((part) => !part.hasProperty('recurrence-id'));
    const others = parts.filter((part) => part !== main);
    try {
      if (!main) {
        for (const part of others) this.add(new ICAL.Event(part));
        return;
      }
      const event = new ICAL.Event(main, { exceptions: others, strictExceptions: false });
      if (event.isRecurring()) this.expand(event);
      else this.add(event);
    } catch (error) {
      if (error instanceof TooMany) throw error;
    }
  }

  private expand(event: ICAL.Event): void {
    const { to } = this.asked;
    const iterator = event.iterator();
    for (let next = iterator.next(); next; next = iterator.next()) {
      this.steps += 1;
      if (this.steps > MOST_STEPS) throw new TooMany();
      const { item, startDate, endDate } = event.getOccurrenceDetails(next) as Occurrence;
      if (this.instantOf(next, event) >= to + DAY) return;
      this.add(item, startDate, endDate);
    }
  }

  private add(event: ICAL.Event, start = event.startDate, end = event.endDate): void {
    const { component } = event;
    if (String(component.getFirstPropertyValue('status')).toUpperCase() === 'CANCELLED') return;
    if (String(component.getFirstPropertyValue('transp')).toUpperCase() === 'TRANSPARENT') return;
    const [from, to] = [this.instantOf(start, event), this.instantOf(end, event)];
    if (!(from < to) || to <= this.asked.from || from >= this.asked.to) return;
    this.spans.push([Math.max(from, this.asked.from), Math.min(to, this.asked.to)]);
    if (this.spans.length > MOST_STEPS) throw new TooMany();
  }

  /** An instant in milliseconds. A zone that the calendar defines is used as defined, any other by its name. */
  private instantOf(time: ICAL.Time, event: ICAL.Event): number {
    const isFloating = time.isDate || time.zone === ICAL.Timezone.localTimezone;
    if (!isFloating) return time.toUnixTime() * 1000;
    const named = event.component.getFirstProperty('dtstart')?.getParameter('tzid');
    const zone = time.isDate ? this.asked.zone : knownZone(String(named ?? ''), this.asked.zone);
    const { year, month, day, hour, minute, second } = time;
    return new TZDate(year, month - 1, day, hour, minute, second, zone).getTime();
  }
}

function knownZone(name: string, otherwise: string): string {
  const zone = windowsZones[name] ?? name;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone === '' ? otherwise : zone;
  } catch {
    return otherwise;
  }
}

/** Merges overlapping and adjacent periods. */
function merged(spans: BusySpan[], { from, to }: BusyAsked): BusySpan[] {
  const all: BusySpan[] = [];
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  if (all.length > MOST_STRETCHES) throw new TooMany();
  return all.filter(([start, end]) => start < to && end > from);
}
