import { describe, expect, it } from '@jest/globals';
import { bookableStarts, offeredStarts, periodOf, shownSpan } from './public.slots.js';

const HOUR = 3_600_000;
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
      ...['11-03T00', '11-03T01'],
      ...['11-03T03', '11-03T05'],
    ]);
    // From the midnight at which the longer day begins to 2:00 of the next day.
    expect(shown(hours('2026-10-24T23:00:00Z', 27), 'Europe/Lisbon')).toEqual([
      ...['10-24T23', '10-25T12'],
      ...['10-26T00', '10-26T01'],
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
  it('with the default settings are hours from 9 to 17, fifteen minutes away from busy times', () => {
    const now = at('2026-11-02T11:00:00Z');
    const starts = bookableStarts({
      settings: { dias: 1, duracao_min: 60, intervalo_min: 15, antecedencia_min: 0, por_dia: 3 },
      rules: { rules: [], exceptions: [], vacations: [], zone: 'America/Sao_Paulo' },
      busy: [{ from: at('2026-11-02T14:00:00Z'), to: at('2026-11-02T15:00:00Z') }],
      now,
    });
    expect(starts.map((start) => periodOf(start, { duracao_min: 60 }).inicio.slice(11, 16))).toEqual([
      ...['12:00', '16:00', '17:00', '18:00', '19:00'],
    ]);
  });
});
