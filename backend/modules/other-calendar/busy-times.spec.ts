import { describe, expect, it } from '@jest/globals';
import { busyTimes } from './busy-times.ics.js';

const from = Date.parse('2026-11-01T00:00:00Z');
const to = Date.parse('2026-12-01T00:00:00Z');
const zone = 'America/Sao_Paulo';
const read = (text: string) => busyTimes({ text, from, to, zone });
const calendar = (...lines: string[]) =>
  read(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT'];
const busy = (...spans: [string, string][]) => ({
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
      ...['BEGIN:VTIMEZONE', 'TZID:Own', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
      ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0200', 'END:STANDARD', 'END:VTIMEZONE'],
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
      ...['BEGIN:VEVENT', 'UID:one', 'RECURRENCE-ID:20261117T100000Z'],
      ...['DTSTART:20261117T150000Z', 'DTEND:20261117T160000Z', 'END:VEVENT'],
    ];
    const cancelled = [
      ...['BEGIN:VEVENT', 'UID:one', 'RECURRENCE-ID:20261124T100000Z', 'STATUS:CANCELLED'],
      ...['DTSTART:20261124T100000Z', 'DTEND:20261124T110000Z', 'END:VEVENT'],
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
      ...[
        'BEGIN:VEVENT',
        `UID:${uid}`,
        `DTSTART:20261103T${start}00Z`,
        `DTEND:20261103T${end}00Z`,
        'END:VEVENT',
      ],
    ];
    expect(
      calendar(...at('a', '1000', '1100'), ...at('b', '1030', '1200'), ...at('c', '1200', '1230')),
    ).toEqual(busy(['2026-11-03T10:00:00Z', '2026-11-03T12:30:00Z']));
  });
});

describe('a text that is no calendar, or too large a one', () => {
  it.each([
    ['a page', '<!doctype html><html><body>Entrar</body></html>'],
    ['nothing', ''],
    ['half a calendar', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:2026'],
    ['binary', '\u0000\u0001\u0002'],
  ])('is refused as not a calendar: %s', (_, text) => {
    expect(read(text)).toEqual({ failure: 'formato' });
  });

  it('is refused if an event repeats every second', () => {
    const bomb = event('DTSTART:19700101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY');
    expect(calendar(...bomb)).toEqual({ failure: 'repeticoes' });
  });

  it('is refused if it has too many events', () => {
    const many = Array.from({ length: 20_001 }, () => event('DTSTART:20261103T100000Z')).flat();
    expect(calendar(...many)).toEqual({ failure: 'repeticoes' });
  });

  it('is read without an event that cannot be parsed, even with a line of a megabyte', () => {
    const good = event(
      'DTSTART:20261103T100000Z',
      'DTEND:20261103T110000Z',
      `SUMMARY:${'x'.repeat(1_000_000)}`,
    );
    const bad = ['BEGIN:VEVENT', 'UID:two', 'DTSTART:99999999T999999Z', 'RRULE:FREQ=NEVER', 'END:VEVENT'];
    expect(calendar(...good)).toEqual(busy(['2026-11-03T10:00:00Z', '2026-11-03T11:00:00Z']));
    expect(['busy', 'failure']).toContain(Object.keys(calendar(...bad, ...good))[0]);
  });
});
