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
  it('are the first ones of each local day, also of a day of 25 hours', () => {
    const hours = (first: string, count: number) =>
      Array.from({ length: count }, (_, hour) => at(first) + hour * HOUR);
    const shown = (starts: number[], zone: string) =>
      offeredStarts(starts, { por_dia: 2 }, zone).map((start) => text(start).slice(5, 13));
    // From 21:00 in São Paulo, when it is already the next day in UTC.
    expect(shown(hours('2026-11-03T00:00:00Z', 8), 'America/Sao_Paulo')).toEqual([
      ...['11-03T00', '11-03T01'],
      ...['11-03T03', '11-03T04'],
    ]);
    // From the midnight at which the longer day begins to 2:00 of the next day.
    expect(shown(hours('2026-10-24T23:00:00Z', 27), 'Europe/Lisbon')).toEqual([
      ...['10-24T23', '10-25T00'],
      ...['10-26T00', '10-26T01'],
    ]);
    expect(shown([], 'America/Sao_Paulo')).toEqual([]);
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
