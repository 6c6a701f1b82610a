/** A property of an event, as it stands in the file. */
export interface Property {
  /** In capitals. */
  name: string;
  params: Readonly<Record<string, string>>;
  value: string;
}

interface Receiver {
  /** @param properties null if the event does not end */
  event: (properties: Property[] | null) => void;
  /** The text of a VTIMEZONE. */
  zone: (text: string) => void;
}

export class NoCalendar extends Error {
  constructor(readonly kind: 'formato' | 'incompleto') {
    super(`no whole calendar: ${kind}`);
  }
}

/** What decides about time, in an event and in a definition of a time zone. No other line is read, so none can be wrong. */
const OF_EVENTS =
  /^(?:BEGIN|END|UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|TRANSP)[;:]/i;
const OF_ZONES = /^(?:BEGIN|END|TZID|DTSTART|TZOFFSETFROM|TZOFFSETTO|RRULE|RDATE)[;:]/i;
const MOST_CHARACTERS = 64 * 1024;
const MOST_LINES = 2_000;

/** Reads an iCalendar file (RFC 5545) line by line as it arrives. Only the event or the time zone that is being read is kept. */
export class CalendarLines {
  private readonly decoder = new TextDecoder();
  private rest = '';
  /** The line that the next one may continue; null where it is of no interest. */
  private line: string | null = null;
  private readonly inside: string[] = [];
  private event: Property[] | null = null;
  private zone: string[] | null = null;
  private hasBegun = false;
  private hasEnded = false;

  constructor(private readonly to: Receiver) {}

  /** @throws NoCalendar */
  push(bytes: Uint8Array): void {
    const text = this.rest + this.decoder.decode(bytes, { stream: true });
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.physical(text.slice(from, text[end - 1] === '\r' ? end - 1 : end));
      from = end + 1;
    }
    this.rest = text.slice(from, from + MOST_CHARACTERS);
  }

  /** @throws NoCalendar */
  end(): void {
    this.physical(this.rest);
    this.flush();
    if (!this.hasBegun) throw new NoCalendar('formato');
    if (!this.hasEnded || this.inside.length > 0) throw new NoCalendar('incompleto');
  }

  private physical(line: string): void {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (this.line !== null && this.line.length < MOST_CHARACTERS) this.line += line.slice(1);
      return;
    }
    this.flush();
    if (!this.hasBegun && line.trim() !== '') {
      if (!/^BEGIN:VCALENDAR\s*$/i.test(line)) throw new NoCalendar('formato');
      this.hasBegun = true;
    }
    this.line = (this.zone ? OF_ZONES : OF_EVENTS).test(line) ? line : null;
  }

  private flush(): void {
    const { line } = this;
    this.line = null;
    if (line === null) return;
    const [, edge, component = ''] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(line) ?? [];
    const name = component.toUpperCase();
    if (edge?.toUpperCase() === 'BEGIN') this.begin(name);
    if (this.zone && this.zone.length < MOST_LINES) this.zone.push(line);
    if (edge?.toUpperCase() === 'END') this.leave(name);
    // An alarm within an event has a duration of its own.
    if (edge === undefined && this.event && this.inside.at(-1) === 'VEVENT') {
      const property = propertyOf(line);
      if (property && this.event.length < MOST_LINES) this.event.push(property);
    }
  }

  private begin(name: string): void {
    if (name === 'VEVENT') {
      this.leave('VEVENT', null);
      this.event = [];
    }
    if (name === 'VTIMEZONE') this.zone = [];
    this.inside.push(name);
  }

  /** Ends a component and those that were not ended within it. */
  private leave(name: string, properties = this.event): void {
    const at = this.inside.lastIndexOf(name);
    if (at === -1) return;
    for (const ended of this.inside.splice(at)) {
      if (ended === 'VEVENT') {
        this.to.event(name === 'VEVENT' ? properties : null);
        this.event = null;
      } else if (ended === 'VTIMEZONE') {
        this.to.zone(this.zone!.join('\r\n'));
        this.zone = null;
      } else if (ended === 'VCALENDAR') this.hasEnded = true;
    }
  }
}

/** Undefined for a line that has no value. */
function propertyOf(line: string): Property | undefined {
  const parts = line.match(/(?:"[^"]*"|[^":])+/)?.[0] ?? '';
  if (line[parts.length] !== ':') return undefined;
  const [name = '', ...given] = parts.match(/(?:"[^"]*"|[^";])+/g) ?? [];
  const params = given.map((each) => {
    const [key = '', ...value] = each.split('=');
    return [key.toUpperCase(), value.join('=').replaceAll('"', '')] as const;
  });
  return {
    name: name.toUpperCase(),
    params: Object.fromEntries(params),
    value: line.slice(parts.length + 1).trim(),
  };
}
