import { TZDate } from '@date-fns/tz';
import { describe, expect, it } from '@jest/globals';
import { addDays } from 'date-fns';
import fc from 'fast-check';
import { rounds } from '../../../test/support/rounds.js';
import { daysLater } from '../../platform/local-time.js';
import type { DateException, DayRow, WeekRow } from './availability.api.js';
import { blocksIn, closedAt, freeTimes, type FreeTimesAsked, openHours, vacationSpan } from './free-times.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (iso: string) => Date.parse(iso);
const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const row = (start_time: string, end_time: string, is_blocked = false): DayRow => ({
  start_time,
  end_time,
  is_blocked,
});
const daily = (...rows: DayRow[]): WeekRow[] =>
  [0, 1, 2, 3, 4, 5, 6].flatMap((day_of_week) => rows.map((one) => ({ day_of_week, ...one })));

const asked = (changes: Partial<FreeTimesAsked> = {}): FreeTimesAsked => ({
  rules: daily(row('00:00', '24:00')),
  exceptions: [],
  vacations: [],
  busy: [],
  zone: 'UTC',
  now: at('2021-06-20T11:59:59Z'),
  from: at('2021-06-21T00:00Z'),
  to: at('2021-06-22T00:00Z'),
  minutes: 60,
  step: 60,
  buffer: 0,
  notice: 0,
  ...changes,
});
const starts = (changes: Partial<FreeTimesAsked>) => freeTimes(asked(changes)).starts.map(text);
const between = (from: string, to: string) => ({
  from: at(`2021-06-21T${from}Z`),
  to: at(`2021-06-21T${to}Z`),
});

describe('free times', () => {
  it.each([
    ['24 in an empty day', {}, 24],
    ['24 where the interval is longer than the session', { minutes: 30 }, 24],
    ['72 of 20 minutes', { minutes: 20, step: 20 }, 72],
    ['only those to come today', { from: at('2021-06-20T00:00Z'), to: at('2021-06-21T00:00Z') }, 12],
    ['those after the notice', { notice: 1500 }, 11],
    [
      '71 of 20 minutes where the day ends at 23:45',
      { to: at('2021-06-21T23:45Z'), minutes: 20, step: 20 },
      71,
    ],
    ['none in a day that has passed', { now: at('2021-06-23T00:00Z') }, 0],
    ['none in a time of no length', { to: at('2021-06-21T00:00Z') }, 0],
  ])('are %s', (_case, changes, count) => {
    expect(starts(changes)).toHaveLength(count);
  });

  it.each([
    ['two that touch', ['11:00', '12:00'], ['12:00', '12:40'], 5],
    ['two that overlap', ['11:00', '12:00'], ['11:20', '12:40'], 5],
    ['the same in the other order', ['11:20', '12:40'], ['11:00', '12:00'], 5],
    ['two apart', ['11:00', '12:00'], ['14:00', '15:00'], 6],
  ])('run through open hours of %s', (_case, one, other, count) => {
    const rules = daily(row(one[0]!, one[1]!), row(other[0]!, other[1]!));
    expect(starts({ rules, minutes: 20, step: 20 })).toHaveLength(count);
  });

  it('do not depend on the order or overlaps of busy times', () => {
    const busy = [between('11:15', '13:00'), between('11:00', '12:00'), between('09:00', '09:10')];
    const one = freeTimes(asked({ busy }));
    expect(freeTimes(asked({ busy: busy.toReversed() }))).toEqual(one);
    expect(one.stretches.map(({ from, to }) => `${text(from).slice(11)}-${text(to).slice(11)}`)).toEqual([
      '00:00-09:00',
      '09:10-11:00',
      '13:00-00:00',
    ]);
    expect(one.starts.map(text)).not.toContain('2021-06-21T09:00');
  });

  it('may begin and end at a busy time, but not within its buffer', () => {
    const busy = [between('11:00', '12:00')];
    expect(starts({ busy })).toHaveLength(23);
    const buffered = starts({ busy, buffer: 15 });
    expect(buffered).toHaveLength(21);
    expect(buffered).not.toContain('2021-06-21T12:00');
    expect(starts({ busy, buffer: 15, step: 15 })).toContain('2021-06-21T12:15');
  });

  it('include the last one of the day, and none that would end after it', () => {
    const rules = daily(row('18:30', '23:00'));
    expect(starts({ rules, minutes: 15, step: 15 }).at(-1)).toBe('2021-06-21T22:45');
    expect(starts({ rules }).at(-1)).toBe('2021-06-21T22:00');
  });

  it('continue over midnight if both days are open', () => {
    const rules = daily(row('00:00', '02:00'), row('22:00', '24:00'));
    const two = starts({ rules, minutes: 180, to: at('2021-06-22T03:00Z') });
    expect(two).toEqual(['2021-06-21T22:00', '2021-06-21T23:00']);
  });

  it('begin at full steps of local time in zones with half-hour offsets', () => {
    const rules = daily(row('07:30', '09:30'));
    const day = { from: at('2023-07-12T18:30Z'), to: at('2023-07-13T18:30Z'), zone: 'Asia/Kolkata' };
    expect(starts({ rules, ...day })).toEqual(['2023-07-13T02:30']);
  });

  it('may have lengths that do not divide an hour', () => {
    const rules = daily(row('07:22', '08:00'));
    expect(starts({ rules, minutes: 8, step: 8 })).toHaveLength(4);
    expect(
      starts({ rules: daily(row('07:00', '07:05'), row('07:10', '07:30')), minutes: 5, step: 5 }),
    ).toHaveLength(5);
  });

  it('are found between thousands of sessions', () => {
    const busy = Array.from({ length: 5000 }, (_, index) => {
      const from = at('2021-06-21T00:00Z') + index * 5 * MINUTE;
      return { from, to: from + 4 * MINUTE };
    });
    const week = { to: at('2021-06-21T00:00Z') + 5000 * 5 * MINUTE };
    expect(freeTimes(asked({ busy, ...week })).stretches).toEqual([]);
    expect(freeTimes(asked({ busy: busy.toReversed(), ...week, minutes: 1, step: 1 })).starts).toHaveLength(
      5000,
    );
  });

  it('are from 9 to 17 on every day if no row is open, without blocked times', () => {
    expect(starts({ rules: [] })).toHaveLength(8);
    const rules = daily(row('12:00', '13:00', true));
    expect(
      starts({ rules })
        .map((start) => start.slice(11, 13))
        .join(' '),
    ).toBe('09 10 11 13 14 15 16');
    expect(starts({ rules: [{ day_of_week: 2, ...row('08:00', '12:00') }] })).toEqual([]);
  });

  it('follow the exceptions of a date before the week, and vacations before both', () => {
    const rules = daily(row('09:00', '12:00'), row('10:00', '11:00', true));
    const exceptions = [
      {
        data: '2021-06-21',
        horarios: [row('10:00', '11:00'), row('14:00', '16:00'), row('15:00', '16:00', true)],
      },
    ];
    const hours = (changes: object) =>
      starts({ rules, exceptions, ...changes }).map((start) => start.slice(11, 13));
    expect(hours({}).join(' ')).toBe('09 10 11 14');
    expect(hours({ from: at('2021-06-22T00:00Z'), to: at('2021-06-23T00:00Z') }).join(' ')).toBe('09 11');
    expect(hours({ vacations: [{ start_date: '2021-06-20', end_date: '2021-06-21' }] })).toEqual([]);
  });
});

describe('clock changes', () => {
  it('leave out skipped hours and include repeated hours twice', () => {
    const zone = 'America/New_York';
    const rules = daily(row('00:00', '04:00'));
    const spring = { zone, rules, from: at('2027-03-14T05:00Z'), to: at('2027-03-15T04:00Z'), now: 0 };
    expect(starts(spring)).toEqual(['2027-03-14T05:00', '2027-03-14T06:00', '2027-03-14T07:00']);
    const autumn = { zone, rules, from: at('2027-11-07T04:00Z'), to: at('2027-11-08T05:00Z'), now: 0 };
    expect(starts(autumn)).toHaveLength(5);
  });

  it('handle a midnight that was skipped in São Paulo', () => {
    const zone = 'America/Sao_Paulo';
    const day = { zone, from: at('2018-11-03T03:00Z'), to: at('2018-11-05T02:00Z'), now: 0 };
    expect(starts(day)).toHaveLength(47);
    const first = vacationSpan({ start_date: '2018-11-04', end_date: '2018-11-04' }, zone);
    expect([first.from, first.to].map(text)).toEqual(['2018-11-04T03:00', '2018-11-05T02:00']);
  });

  it('keep the local time when moving by days', () => {
    const zone = 'America/New_York';
    expect(text(daysLater(at('2027-03-10T12:00Z'), 7, zone))).toBe('2027-03-17T11:00');
    // 2:30 is skipped.
    expect(text(daysLater(at('2027-03-13T07:30Z'), 1, zone))).toBe('2027-03-14T07:00');
    expect(text(daysLater(at('2026-11-23T10:00Z'), 14, 'America/Sao_Paulo'))).toBe('2026-12-07T10:00');
  });
});

describe('a time that is not open', () => {
  const rules = { ...asked(), rules: daily(row('08:00', '18:00'), row('12:00', '13:00', true)) };

  it.each([
    ['10:00', '11:00', undefined],
    ['08:00', '12:00', undefined],
    ['11:30', '12:30', { reason: 'blocked', start_time: '12:00', end_time: '13:00' }],
    ['07:30', '08:30', { reason: 'outside' }],
    ['17:30', '18:01', { reason: 'outside' }],
  ])('from %s to %s names its reason', (from, to, reason) => {
    expect(closedAt(between(from, to), rules)).toEqual(reason);
  });

  it('has the vacation as its first reason', () => {
    const vacation = { start_date: '2021-06-20', end_date: '2021-06-25', id: 'one' };
    expect(closedAt(between('12:00', '13:00'), { ...rules, vacations: [vacation] })).toEqual({
      reason: 'vacation',
      vacation,
    });
  });

  it('is shown with the open hours of its day', () => {
    expect(openHours(at('2021-06-21T20:00Z'), rules)).toEqual({
      weekday: 1,
      hours: [
        { start_time: '08:00', end_time: '12:00' },
        { start_time: '13:00', end_time: '18:00' },
      ],
    });
  });

  it('includes blocked times, but not those within a vacation', () => {
    const vacation = { start_date: '2021-06-22', end_date: '2021-06-22' };
    const span = { from: at('2021-06-21T00:00Z'), to: at('2021-06-24T00:00Z') };
    const { vacations, blocked, closed } = blocksIn(span, { ...rules, vacations: [vacation] });
    expect(vacations.map(({ from, to }) => [text(from), text(to)])).toEqual([
      ['2021-06-22T00:00', '2021-06-23T00:00'],
    ]);
    expect(blocked.map(({ from }) => text(from))).toEqual(['2021-06-21T12:00', '2021-06-23T12:00']);
    expect(closed.map(({ from, to }) => [text(from), text(to)])).toEqual([
      ['2021-06-21T00:00', '2021-06-21T08:00'],
      ['2021-06-21T18:00', '2021-06-22T00:00'],
      ['2021-06-23T00:00', '2021-06-23T08:00'],
      ['2021-06-23T18:00', '2021-06-24T00:00'],
    ]);
    expect(blocksIn(span, { ...rules, rules: [] }).closed).toEqual([]);
  });
});

/** Cache of local times by zone and minute, since the cases are near the same days. */
const clocks = new Map<string, Map<number, { date: string; weekday: number; clock: string }>>();

function clockIn(zone: string, minute: number) {
  const ofZone = clocks.get(zone) ?? new Map<number, { date: string; weekday: number; clock: string }>();
  clocks.set(zone, ofZone);
  const known = ofZone.get(minute);
  if (known) return known;
  const local = new TZDate(minute, zone);
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = `${local.getFullYear()}-${pad(local.getMonth() + 1)}-${pad(local.getDate())}`;
  const clock = `${pad(local.getHours())}:${pad(local.getMinutes())}`;
  const shown = { date, weekday: local.getDay(), clock };
  ofZone.set(minute, shown);
  return shown;
}

/** Computes free times by checking every minute separately in local time. */
function oracle({ rules, exceptions, vacations, busy, zone, now, from, to, ...rest }: FreeTimesAsked) {
  const { minutes, step, buffer, notice } = rest;
  const isSet = rules.some(({ is_blocked }) => !is_blocked);
  const holds = ({ start_time, end_time }: Pick<DayRow, 'start_time' | 'end_time'>, clock: string) =>
    start_time <= clock && clock < end_time;
  const clockAt = (minute: number) => clockIn(zone, minute);
  const isOpen = (minute: number) => {
    const { date, weekday, clock } = clockAt(minute);
    if (vacations.some(({ start_date, end_date }) => start_date <= date && date <= end_date)) return false;
    const special = exceptions.find(({ data }) => data === date)?.horarios ?? [];
    const covering = special.filter((one) => holds(one, clock));
    if (covering.length > 0) return covering.every(({ is_blocked }) => !is_blocked);
    const usual = rules.filter((one) => one.day_of_week === weekday && holds(one, clock));
    if (usual.some(({ is_blocked }) => is_blocked)) return false;
    return isSet ? usual.length > 0 : clock >= '09:00' && clock < '17:00';
  };
  const earliest = Math.max(from, now + notice * MINUTE);
  const isFree = (minute: number) =>
    minute >= earliest &&
    minute + MINUTE <= to &&
    isOpen(minute) &&
    busy.every(({ away = 0, ...one }) => {
      const apart = Math.max(buffer, away) * MINUTE;
      return one.to + apart <= minute || one.from - apart >= minute + MINUTE;
    });
  const first = Math.floor(from / MINUTE) * MINUTE;
  const free = Array.from({ length: Math.ceil((to - first) / MINUTE) + 1 }, (_, index) =>
    isFree(first + index * MINUTE),
  );
  const found: number[] = [];
  let run = 0;
  for (let index = free.length - 1; index >= 0; index -= 1) {
    run = free[index] ? run + 1 : 0;
    const minute = first + index * MINUTE;
    if (run < minutes) continue;
    const [hours, mins] = clockAt(minute).clock.split(':').map(Number);
    if ((hours! * 60 + mins!) % step === 0) found.unshift(minute);
  }
  return found;
}

const time = (most: number) =>
  fc.integer({ min: 0, max: most / 15 }).map((quarter) => {
    const pad = (value: number) => String(value).padStart(2, '0');
    return `${pad(Math.floor(quarter / 4))}:${pad((quarter % 4) * 15)}`;
  });
const rowArbitrary = fc
  .tuple(time(1425), time(1440), fc.boolean())
  .filter(([start, end]) => start < end)
  .map(([start, end, blocked]) => row(start, end, blocked));
const weekArbitrary = fc.array(
  fc.tuple(fc.nat(6), rowArbitrary).map(([day_of_week, one]) => ({ day_of_week, ...one })),
  { maxLength: 10 },
);

/** Zones, with a day near a clock change, if they have any. */
const days = [
  ...['America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Kiritimati', 'UTC'].map((zone) => ({
    zone,
    near: '2026-11-26',
  })),
  { zone: 'America/Sao_Paulo', near: '2018-11-04' },
  { zone: 'America/Sao_Paulo', near: '2019-02-16' },
  { zone: 'America/New_York', near: '2027-03-14' },
  { zone: 'Europe/Lisbon', near: '2026-10-25' },
  { zone: 'Australia/Lord_Howe', near: '2026-10-04' },
  { zone: 'Asia/Beirut', near: '2026-03-29' },
  { zone: 'America/Santiago', near: '2026-09-06' },
];

const askedArbitrary = fc
  .record({
    day: fc.constantFrom(...days),
    first: fc.integer({ min: -2 * 96, max: 96 }),
    length: fc.integer({ min: 1, max: 100 }),
    rules: weekArbitrary,
    exceptions: fc.uniqueArray(
      fc.tuple(fc.integer({ min: -2, max: 2 }), fc.array(rowArbitrary, { maxLength: 3 })),
      { maxLength: 2, selector: ([shift]) => shift },
    ),
    vacation: fc.option(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.nat(2)), { freq: 4 }),
    busy: fc.array(
      fc.tuple(
        fc.integer({ min: -3 * 288, max: 3 * 288 }),
        fc.integer({ min: 1, max: 72 }),
        fc.constantFrom(undefined, 0, 5, 40, 240),
      ),
      { maxLength: 8 },
    ),
    now: fc.integer({ min: -4 * 1440, max: 1440 }),
    minutes: fc.constantFrom(5, 15, 45, 60, 90, 360),
    step: fc.constantFrom(5, 15, 30, 45, 60),
    buffer: fc.constantFrom(0, 10, 15),
    notice: fc.constantFrom(0, 60, 1440),
  })
  .map(({ day: { zone, near }, first, length, exceptions, vacation, busy, now, ...rest }): FreeTimesAsked => {
    const noon = at(`${near}T12:00:00Z`);
    const date = (shift: number) => addDays(new TZDate(noon, 'UTC'), shift).toISOString().slice(0, 10);
    const from = noon + first * 15 * MINUTE;
    return {
      ...rest,
      zone,
      from,
      to: from + length * 15 * MINUTE,
      now: noon + now * MINUTE,
      exceptions: exceptions.map(([shift, horarios]): DateException => ({ data: date(shift), horarios })),
      vacations: vacation
        ? [{ start_date: date(vacation[0]), end_date: date(vacation[0] + vacation[1]) }]
        : [],
      busy: busy.map(([start, five, away]) => {
        const from_ = noon + start * 5 * MINUTE;
        return { from: from_, to: from_ + five * 5 * MINUTE, ...(away !== undefined && { away }) };
      }),
    };
  });

it('are the same as checking each minute finds, for random input', () => {
  fc.assert(
    fc.property(askedArbitrary, (one) => {
      const { starts: found, stretches } = freeTimes(one);
      expect(found.map(text)).toEqual(oracle(one).map(text));
      const isOutside = (start: number) =>
        !stretches.some(({ from, to }) => from <= start && start + one.minutes * MINUTE <= to);
      expect(found.filter(isOutside)).toEqual([]);
    }),
    { numRuns: rounds(2_000, 10_000) },
  );
}, 300_000);

it('are separate stretches that are long enough and contain no busy time', () => {
  fc.assert(
    fc.property(askedArbitrary, (one) => {
      const { stretches } = freeTimes(one);
      stretches.forEach(({ from, to }, index) => {
        expect(to - from).toBeGreaterThanOrEqual(one.minutes * MINUTE);
        if (index > 0) expect(from).toBeGreaterThan(stretches[index - 1]!.to);
        expect(one.busy.every((other) => other.to <= from || other.from >= to)).toBe(true);
      });
    }),
    { numRuns: 2_000 },
  );
});

it('are found for 28 days of a full week without checking each minute', () => {
  const from = at('2026-11-22T03:00Z');
  const rules = daily(row('06:00', '22:00'), row('12:00', '13:00', true));
  const { starts: found } = freeTimes(
    asked({ rules, zone: 'America/Sao_Paulo', now: from, from, to: from + 28 * 24 * HOUR, step: 30 }),
  );
  expect(found).toHaveLength(28 * (11 + 17));
});
