import { describe, expect, it } from '@jest/globals';
import { BusyReader } from './busy-times.ics.js';
import { windowsZones } from './windows-zones.js';

const from = Date.parse('2026-11-01T00:00:00Z');
const to = Date.parse('2026-12-01T00:00:00Z');
const zone = 'America/Sao_Paulo';
/** In parts that end anywhere, as they arrive. */
const read = (text: string, size = 7_001) => {
  const reader = new BusyReader({ from, to, zone });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    const answer = reader.push(bytes.subarray(at, at + size));
    if (answer) return answer;
  }
  return reader.end();
};
const calendar = (...lines: (string | string[])[]) =>
  read(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines.flat(), 'END:VCALENDAR', ''].join('\r\n'));
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT'];
const busy = (...spans: [string, string][]) => ({
  ignored: 0,
  busy: spans.map(([start, end]) => [Date.parse(start), Date.parse(end)]),
});

describe('the busy times of a calendar', () => {
  it('are events in UTC, with an end or a duration', () => {
    expect(calendar(...event('DTSTART:20261103T100000Z', 'DTEND:20261103T110000Z'))).toEqual(
      busy(['2026-11-03T10:00:00Z', '2026-11-03T11:00:00Z']),
    );
    expect(calendar(...event('DTSTART:20261103T100000Z', 'DURATION:PT90M'))).toEqual(
      busy(['2026-11-03T10:00:00Z', '2026-11-03T11:30:00Z']),
    );
  });

  it.each([
    ['an IANA zone', ';TZID=America/New_York', '15:00'],
    ["Outlook's name", ';TZID=E. South America Standard Time', '13:00'],
    ['a zone that does not exist', ';TZID=Mars/Olympus', '13:00'],
    ['no zone', '', '13:00'],
  ])('are in the zone of %s', (_, parameter, start) => {
    const lines = [`DTSTART${parameter}:20261103T100000`, `DTEND${parameter}:20261103T110000`];
    expect(calendar(...event(...lines))).toMatchObject({
      busy: [[Date.parse(`2026-11-03T${start}:00Z`), expect.any(Number)]],
    });
  });

  it('are in a zone that the calendar itself defines', () => {
    const described = [
      'BEGIN:VTIMEZONE',
      'TZID:Own',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0200',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const lines = event('DTSTART;TZID=Own:20261103T100000', 'DTEND;TZID=Own:20261103T110000');
    expect(calendar(...described, ...lines)).toEqual(busy(['2026-11-03T08:00:00Z', '2026-11-03T09:00:00Z']));
  });

  it("include whole days in the trainer's zone, and no events that are cancelled, free, ours, or outside of the period", () => {
    const span = ['DTSTART:20261103T100000Z', 'DTEND:20261103T110000Z'];
    expect(calendar(...event('DTSTART;VALUE=DATE:20261103', 'DTEND;VALUE=DATE:20261104'))).toEqual(
      busy(['2026-11-03T03:00:00Z', '2026-11-04T03:00:00Z']),
    );
    expect(calendar(...event(...span, 'STATUS:CANCELLED'))).toEqual(busy());
    expect(calendar(...event(...span, 'TRANSP:TRANSPARENT'))).toEqual(busy());
    expect(calendar('BEGIN:VEVENT', 'UID:x@rende', ...span, 'END:VEVENT')).toEqual(busy());
    expect(calendar(...event('DTSTART:20251103T100000Z', 'DTEND:20251103T110000Z'))).toEqual(busy());
  });

  it('repeat, except on dates that are excluded, cancelled or moved', () => {
    const rule = ['DTSTART:20261103T100000Z', 'DTEND:20261103T110000Z', 'RRULE:FREQ=WEEKLY;COUNT=4'];
    const moved = [
      'BEGIN:VEVENT',
      'UID:one',
      'RECURRENCE-ID:20261117T100000Z',
      'DTSTART:20261117T150000Z',
      'DTEND:20261117T160000Z',
      'END:VEVENT',
    ];
    const cancelled = [
      'BEGIN:VEVENT',
      'UID:one',
      'RECURRENCE-ID:20261124T100000Z',
      'STATUS:CANCELLED',
      'DTSTART:20261124T100000Z',
      'DTEND:20261124T110000Z',
      'END:VEVENT',
    ];
    expect(calendar(...event(...rule, 'EXDATE:20261110T100000Z'), ...moved, ...cancelled)).toEqual(
      busy(
        ['2026-11-03T10:00:00Z', '2026-11-03T11:00:00Z'],
        ['2026-11-17T15:00:00Z', '2026-11-17T16:00:00Z'],
      ),
    );
  });

  it('keep their local time over a clock change', () => {
    const rule = [
      'DTSTART;TZID=America/New_York:20261031T100000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=2',
    ];
    expect(calendar(...event(...rule))).toEqual(busy(['2026-11-01T15:00:00Z', '2026-11-01T16:00:00Z']));
  });

  it('are merged if they overlap or touch', () => {
    const at = (uid: string, start: string, end: string) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTART:20261103T${start}00Z`,
      `DTEND:20261103T${end}00Z`,
      'END:VEVENT',
    ];
    expect(
      calendar(...at('a', '1000', '1100'), ...at('b', '1030', '1200'), ...at('c', '1200', '1230')),
    ).toEqual(busy(['2026-11-03T10:00:00Z', '2026-11-03T12:30:00Z']));
  });
});

describe('what calendars get wrong, or programs disagree about', () => {
  const span = (day: number, from = '10:00', to = '11:00') => {
    const at = (time: string) => `2026-11-${String(day).padStart(2, '0')}T${time}:00-03:00`;
    return [at(from), at(to)] as [string, string];
  };
  const saoPaulo = (property: string, text: string) => `${property};TZID=America/Sao_Paulo:${text}`;
  const daily = [
    saoPaulo('DTSTART', '20261102T100000'),
    saoPaulo('DTEND', '20261102T110000'),
    'RRULE:FREQ=DAILY;COUNT=4',
  ];

  it('two events with one UID both count', () => {
    expect(
      calendar(
        ...event('DTSTART:20261107T130000Z', 'DTEND:20261107T140000Z'),
        ...event('DTSTART:20261108T130000Z', 'DTEND:20261108T140000Z'),
      ),
    ).toEqual(busy(span(7), span(8)));
  });

  it('a repetition until a date includes that day, and one until an instant ends there', () => {
    const until = (text: string) =>
      calendar(...event(...daily.slice(0, 2), `RRULE:FREQ=DAILY;UNTIL=${text}`));
    expect(until('20261104')).toEqual(busy(span(2), span(3), span(4)));
    expect(until('20261104T125959Z')).toEqual(busy(span(2), span(3)));
    expect(until('20261104T130000Z')).toEqual(busy(span(2), span(3), span(4)));
  });

  it.each([['DTEND;VALUE=DATE:20261109'], ['X-NO:END']])('a whole day is one also with %s', (end) => {
    expect(calendar(...event('DTSTART;VALUE=DATE:20261109', end))).toEqual(
      busy(['2026-11-09T03:00:00Z', '2026-11-10T03:00:00Z']),
    );
  });

  it('further dates may be dates, instants or periods', () => {
    const first = daily.slice(0, 2);
    expect(calendar(...event(...first, 'RDATE;VALUE=PERIOD:20261111T130000Z/PT2H'))).toEqual(
      busy(span(2), span(11, '10:00', '12:00')),
    );
    expect(
      calendar(
        ...event(...first, 'RDATE;VALUE=PERIOD:20261111T130000Z/20261111T133000Z,20261112T130000Z/PT1H'),
      ),
    ).toEqual(busy(span(2), span(11, '10:00', '10:30'), span(12)));
    expect(calendar(...event(...first, 'RDATE:20261111T130000Z', 'RDATE;VALUE=DATE:20261112'))).toEqual(
      busy(span(2), span(11), span(12)),
    );
  });

  it('dates are excluded and moved by the instant, in whichever zone, or by the day', () => {
    const moved = (id: string) => [
      'BEGIN:VEVENT',
      'UID:one',
      id,
      saoPaulo('DTSTART', '20261104T150000'),
      saoPaulo('DTEND', '20261104T160000'),
      'END:VEVENT',
    ];
    const expected = busy(span(2), span(4, '15:00', '16:00'), span(5));
    for (const [except, id] of [
      ['EXDATE:20261103T130000Z', 'RECURRENCE-ID:20261104T130000Z'],
      [saoPaulo('EXDATE', '20261103T100000'), 'RECURRENCE-ID;TZID=America/New_York:20261104T080000'],
      ['EXDATE:20261103T100000', 'RECURRENCE-ID:20261104T100000'],
      ['EXDATE;VALUE=DATE:20261103', 'RECURRENCE-ID;VALUE=DATE:20261104'],
    ])
      expect(calendar(...event(...daily, except!), ...moved(id!))).toEqual(expected);
  });

  it('a change of an occurrence and of those that follow moves them all', () => {
    const later = [
      'BEGIN:VEVENT',
      'UID:one',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20261104T130000Z',
      saoPaulo('DTSTART', '20261104T150000'),
      saoPaulo('DTEND', '20261104T170000'),
      'END:VEVENT',
    ];
    expect(calendar(...event(...daily), ...later)).toEqual(
      busy(span(2), span(3), span(4, '15:00', '17:00'), span(5, '15:00', '17:00')),
    );
  });

  it.each([
    ['GMT Standard Time', '10:00'],
    ['Tokyo Standard Time', '01:00'],
    ['Central Brazilian Standard Time', '14:00'],
    ['"(UTC-05:00) Bogota, Lima"', '15:00'],
    ['/freeassociation.sourceforge.net/America/New_York', '15:00'],
  ])('a zone that is only named %s is known', (name, start) => {
    const lines = [`DTSTART;TZID=${name}:20261103T100000`, `DTEND;TZID=${name}:20261103T110000`];
    expect(calendar(...event(...lines))).toMatchObject({
      busy: [[Date.parse(`2026-11-03T${start}:00Z`), expect.any(Number)]],
    });
  });

  it("every zone of Windows is one of this machine's", () => {
    for (const name of Object.values(windowsZones))
      expect(() => new Intl.DateTimeFormat('en', { timeZone: name })).not.toThrow();
  });

  it('a line that cannot be read is skipped, and an event without its times is counted', () => {
    const good = ['DTSTART:20261107T130000Z', 'DTEND:20261107T140000Z'];
    const odd = ['LOCATION:Rua A\\, 10', 'Sao Paulo\\, SP', 'ATTENDEE;RSVP:mailto:x@example.com', ';;;', 'X'];
    expect(calendar(...event(...odd, ...good))).toEqual(busy(span(7)));
    const bad = [
      ...event('DTSTART:99999999T999999Z'),
      ...event('DTSTART;TZID="America/Sao_Paulo:20261107T100000'),
      ...event('DTSTART:20261108T130000Z', 'DTEND:tomorrow'),
      ...event('SUMMARY:no times'),
      'BEGIN:VEVENT',
      'DTSTART:20261109T130000Z',
    ];
    expect(calendar(...bad, ...event(...good))).toEqual({ ...busy(span(7)), ignored: 5 });
  });

  it('an alarm has times of its own', () => {
    const alarm = ['BEGIN:VALARM', 'TRIGGER:-PT15M', 'DURATION:PT15M', 'REPEAT:2', 'END:VALARM'];
    expect(calendar(...event('DTSTART:20261107T130000Z', ...alarm, 'DURATION:PT1H'))).toEqual(busy(span(7)));
  });

  it.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;BYSECOND=1,2,3',
    'FREQ=NEVER',
    'FREQ=WEEKLY;INTERVAL=99999',
    'FREQ=DAILY;UNTIL=x',
  ])('an event with the rule %s is counted, and the others are read', (rule) => {
    const strange = ['BEGIN:VEVENT', 'UID:two', 'DTSTART:19700101T000000Z', 'DURATION:PT0S', `RRULE:${rule}`];
    const answer = calendar(...strange, 'END:VEVENT', ...event('DTSTART:20261107T130000Z', 'DURATION:PT1H'));
    expect(answer).toEqual({ ...busy(span(7)), ignored: 1 });
  });

  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=WEEKLY;INTERVAL=1001',
  ])('an event that never occurs in the period, with the rule %s, is nothing', (rule) => {
    const answer = calendar(...event('DTSTART:19700101T000000Z', 'DURATION:PT1H', `RRULE:${rule}`));
    expect(answer).toMatchObject({ busy: [] });
  });

  it('a repetition since long ago is found at once, with its exceptions', () => {
    const old = ['DTSTART:19740101T130000Z', 'DTEND:19740101T140000Z'];
    const many = Array.from({ length: 300 }, () =>
      event(...old, 'RRULE:FREQ=DAILY;UNTIL=20261102T130000Z'),
    ).flat();
    expect(calendar(...many, ...event(...old, 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'))).toMatchObject({
      busy: [
        [Date.parse(span(1)[0]), Date.parse(span(1)[1])],
        [Date.parse(span(2)[0]), Date.parse(span(2)[1])],
        ...[9, 23].map((day) => [Date.parse(span(day)[0]), Date.parse(span(day)[1])]),
      ],
    });
  });
});

describe('a text that is no calendar, or too large a one', () => {
  it.each([
    ['formato', 'a page', '<!doctype html><html><body>Entrar</body></html>'],
    ['formato', 'nothing', ''],
    ['incompleto', 'half a calendar', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:2026'],
    ['formato', 'binary', '\u0000\u0001\u0002'],
  ])('is refused (%s): %s', (failure, _, text) => {
    expect(read(text)).toEqual({ failure });
  });

  it('is refused if it has too many events in the period', () => {
    const many = Array.from({ length: 20_001 }, () => event('DTSTART:20261103T100000Z')).flat();
    expect(calendar(many)).toEqual({ failure: 'repeticoes' });
  });

  it('is read with its whole past, which is not kept', () => {
    const past = Array.from({ length: 20_001 }, (_, n) => [
      'BEGIN:VEVENT',
      `UID:past-${n}@google.com`,
      'DTSTART:20200101T100000Z',
      'DTEND:20200101T110000Z',
      `DESCRIPTION:${'x'.repeat(300)}`,
      'END:VEVENT',
    ]).flat();
    const ended = [
      ...event('DTSTART:20200101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=9'),
      ...event('DTSTART:20200101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;UNTIL=20210101'),
    ];
    const now = event('DTSTART:20261103T100000Z', 'DTEND:20261103T110000Z');
    expect(calendar(past, ended, now)).toEqual(busy(['2026-11-03T10:00:00Z', '2026-11-03T11:00:00Z']));
  });

  it('is read with lines of a megabyte, folded or not', () => {
    const long = 'x'.repeat(1_000_000);
    const text = event(
      `SUMMARY:${long}`,
      'DTSTART:20261103T100000Z',
      `ATTACH:${long}`,
      ` ${long}`,
      'DTEND:20261103',
      ' T110000Z',
    );
    expect(calendar(...text)).toEqual(busy(['2026-11-03T10:00:00Z', '2026-11-03T11:00:00Z']));
  });
});
