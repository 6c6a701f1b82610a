import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { closedAt, freeTimes } from '../availability/free-times.js';
import { bookableStarts, offeredStarts, periodOf, shownSpan } from './public.slots.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (text: string) => Date.parse(text);
const text = (instant: number) => new Date(instant).toISOString();

describe('shownSpan', () => {
  it('ends at local midnight, also when the clocks changed this morning or will change within the span', () => {
    // In Santiago the clocks go from 24:00 to 1:00 on 6 September, in Lisbon from 2:00 to 1:00 on 25 October.
    const ends = (now: string, dias: number, zone: string) => text(shownSpan({ dias }, at(now), zone).to);
    expect(ends('2026-11-02T11:00:00Z', 7, 'America/Sao_Paulo')).toBe('2026-11-09T03:00:00.000Z');
    expect(ends('2026-10-25T11:00:00Z', 1, 'Europe/Lisbon')).toBe('2026-10-26T00:00:00.000Z');
    expect(ends('2026-10-24T11:00:00Z', 2, 'Europe/Lisbon')).toBe('2026-10-26T00:00:00.000Z');
    expect(ends('2026-09-05T12:00:00Z', 1, 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
  });
});

describe('offeredStarts', () => {
  const zone = 'America/Sao_Paulo';
  const hours = (first: string, count: number) =>
    Array.from({ length: count }, (_, hour) => at(first) + hour * HOUR);
  /** Full hours of 3 November in São Paulo. */
  const from = (first: number, count: number) =>
    hours(`2026-11-03T${String(first + 3).padStart(2, '0')}:00:00Z`, count);
  const clocks = (starts: number[]) => starts.map((start) => new Date(start).getUTCHours() - 3);

  it('are so many of each local day, also of a day of 25 hours', () => {
    const shown = (starts: number[], of: string) =>
      offeredStarts(starts, { por_dia: 2 }, of).map((start) => text(start).slice(5, 13));
    // From 21:00 in São Paulo, when it is already the next day in UTC.
    expect(shown(hours('2026-11-03T00:00:00Z', 8), zone)).toEqual([
      '11-03T00',
      '11-03T01',
      '11-03T03',
      '11-03T05',
    ]);
    // From the midnight at which the longer day begins to 2:00 of the next day.
    expect(shown(hours('2026-10-24T23:00:00Z', 27), 'Europe/Lisbon')).toEqual([
      '10-24T23',
      '10-25T12',
      '10-26T00',
      '10-26T01',
    ]);
    expect(shown([], zone)).toEqual([]);
  });

  it.each([
    ['three of 9 to 17', 3, from(9, 8), [9, 12, 14]],
    ['three of 6 to 21', 3, from(6, 15), [6, 12, 18]],
    ['four of 6 to 21: the longest part has one more', 4, from(6, 15), [6, 9, 12, 18]],
    ['one', 1, from(9, 8), [12]],
    [
      'a part that has fewer leaves its share to the others',
      5,
      [...from(6, 1), ...from(18, 6)],
      [6, 18, 19, 21, 22],
    ],
    ['all, where there are no more', 3, from(18, 3), [18, 19, 20]],
  ])('are spread over morning, afternoon and evening: %s', (_what, por_dia, starts, shown) => {
    const offered = clocks(offeredStarts(starts, { por_dia }, zone));
    expect(offered.map((clock) => (clock + 24) % 24)).toEqual(shown);
  });

  it('begin with the part that the visitor wishes', () => {
    const shown = (por_dia: number) => clocks(offeredStarts(from(6, 15), { por_dia }, zone, 'noite'));
    expect(shown(2)).toEqual([18, 19]);
    expect(shown(4)).toEqual([6, 18, 19, 20]);
  });
});

describe('bookableStarts', () => {
  const zone = 'America/Sao_Paulo';
  const now = at('2026-11-02T11:00:00Z');
  const settings = { dias: 1, duracao_min: 60, intervalo_min: 15, antecedencia_min: 0, por_dia: 3 };
  /** A time of 2 November in São Paulo. */
  const local = (clock: string) => at(`2026-11-02T${clock}:00-03:00`);
  const clocks = (starts: readonly number[]) => starts.map((start) => text(start - 3 * HOUR).slice(11, 16));
  const startsBetween = (busy: [from: string, to: string][], changed: Partial<typeof settings> = {}) =>
    clocks(
      bookableStarts({
        settings: { ...settings, ...changed },
        rules: { rules: [], exceptions: [], vacations: [], zone },
        busy: busy.map(([from, to]) => ({ from: local(from), to: local(to) })),
        now,
      }),
    );

  it('with the default settings are hours from 9 to 17, fifteen minutes away from busy times', () => {
    expect(startsBetween([['11:00', '12:00']])).toEqual(['09:00', '13:00', '14:00', '15:00', '16:00']);
    expect(periodOf(local('09:00'), settings).inicio.slice(11, 16)).toBe('12:00');
  });

  it.each<[string, [string, string][], Partial<typeof settings>, string[]]>([
    [
      'one that it fills',
      [
        ['09:00', '10:00'],
        ['11:30', '17:00'],
      ],
      {},
      ['10:15'],
    ],
    [
      'one with more room',
      [
        ['09:00', '10:00'],
        ['11:45', '17:00'],
      ],
      {},
      ['10:15'],
    ],
    [
      'not where no session fits',
      [
        ['09:00', '10:00'],
        ['11:15', '17:00'],
      ],
      {},
      [],
    ],
    [
      'not where a full hour fits',
      [
        ['09:00', '09:30'],
        ['11:15', '17:00'],
      ],
      {},
      ['10:00'],
    ],
    [
      'quarter hours, whenever others end',
      [
        ['09:00', '10:07'],
        ['11:58', '17:00'],
      ],
      { intervalo_min: 0 },
      ['10:15'],
    ],
    [
      'as late as it fits, where the notice uses it up',
      [['10:50', '17:00']],
      { antecedencia_min: 80, intervalo_min: 0 },
      ['09:45'],
    ],
  ])('use a gap between the hours: %s', (_what, busy, changed, starts) => {
    expect(startsBetween(busy, changed)).toEqual(starts);
  });

  const quarters = (most: number) => fc.nat(most).map((count) => count * 15);
  const asked = fc.record({
    settings: fc.record({
      dias: fc.integer({ min: 1, max: 3 }),
      duracao_min: fc.constantFrom(15, 45, 50, 60, 90),
      intervalo_min: fc.constantFrom(0, 10, 15, 45),
      antecedencia_min: fc.constantFrom(0, 90, 1440),
      por_dia: fc.integer({ min: 1, max: 4 }),
    }),
    busy: fc
      .array(fc.tuple(fc.nat(3 * 24 * 60), fc.integer({ min: 5, max: 120 })), { maxLength: 25 })
      .map((times) =>
        times.map(([from, minutes]) => ({ from: now + from * MINUTE, to: now + (from + minutes) * MINUTE })),
      ),
    rules: fc
      .array(fc.tuple(fc.nat(6), quarters(60), quarters(30), fc.boolean()), { maxLength: 12 })
      .map((rows) =>
        rows.map(([day_of_week, from, minutes, is_blocked]) => ({
          day_of_week,
          is_blocked,
          start_time: clockAt(from),
          end_time: clockAt(Math.min(from + 15 + minutes, 24 * 60)),
        })),
      ),
  });

  it('are all that the hours give, and more only where these leave a gap; each is free, open and in time, and excludes no other', () => {
    fc.assert(
      fc.property(asked, ({ settings: limits, busy, rules: rows }) => {
        const { duracao_min: minutes, intervalo_min: buffer, antecedencia_min: notice } = limits;
        const rules = { rules: rows, exceptions: [], vacations: [], zone };
        const starts = bookableStarts({ settings: limits, rules, busy, now });
        const step = Math.ceil(minutes / 15) * 15;
        const free = freeTimes({
          ...rules,
          ...shownSpan(limits, now, zone),
          busy,
          now,
          minutes,
          step,
          buffer,
          notice,
        });
        for (const [at, start] of starts.slice(1).entries())
          expect(start - starts[at]!).toBeGreaterThanOrEqual(minutes * MINUTE);
        expect(starts).toEqual(expect.arrayContaining(free.starts));
        for (const start of starts) {
          const end = start + minutes * MINUTE;
          expect(start).toBeGreaterThanOrEqual(now + notice * MINUTE);
          expect(closedAt({ from: start, to: end }, rules)).toBeUndefined();
          const apart = buffer * MINUTE;
          expect(busy.filter(({ from, to }) => from < end + apart && to > start - apart)).toEqual([]);
        }
        for (const { from, to } of free.stretches) {
          const inside = starts.filter((start) => start >= from && start < to);
          const onHours = free.starts.filter((start) => start >= from && start < to);
          if (onHours.length > 0) expect(inside).toEqual(onHours);
          // Room for a session that begins at any quarter hour.
          else if (to - from >= (minutes + 14) * MINUTE) expect(inside).not.toEqual([]);
        }
        const days = offeredStarts(starts, limits, zone).map((start) => text(start - 3 * HOUR).slice(0, 10));
        for (const day of days)
          expect(days.filter((one) => one === day).length).toBeLessThanOrEqual(limits.por_dia);
      }),
      { numRuns: 1000 },
    );
  });
});

function clockAt(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
