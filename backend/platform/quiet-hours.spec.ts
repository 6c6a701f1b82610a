import { describe, expect, it } from '@jest/globals';
import { quietUntil } from './quiet-hours.js';

const zona = 'America/Sao_Paulo';
/** An instant of November 2030, in the time of São Paulo. */
const at = (day: number, hour: number, minutes = 0) => new Date(Date.UTC(2030, 10, day, hour + 3, minutes));

describe('quiet hours', () => {
  it.each([
    ['22:00', '07:00', at(5, 21, 59), null],
    ['22:00', '07:00', at(5, 22), at(6, 7)],
    ['22:00', '07:00', at(6, 0), at(6, 7)],
    ['22:00', '07:00', at(6, 6, 59), at(6, 7)],
    ['22:00', '07:00', at(6, 7), null],
    ['12:30', '13:30', at(5, 12, 29), null],
    ['12:30', '13:30', at(5, 13), at(5, 13, 30)],
    ['22:00', '00:00', at(5, 23, 30), at(6, 0)],
    ['00:00', '06:00', at(5, 0), at(5, 6)],
    ['23:00', '07:00', at(30, 23, 30), at(31, 7)],
  ])('from %s to %s', (de, ate, now, end) => {
    expect(quietUntil({ de, ate, zona }, now)).toEqual(end);
  });

  it('never end in the past, and their end is outside of quiet hours', () => {
    for (let minute = 0; minute < 24 * 60; minute += 7) {
      const now = new Date(at(5, 0).getTime() + minute * 60_000);
      for (const [de, ate] of [
        ['21:10', '06:20'],
        ['09:00', '17:00'],
      ] as const) {
        const end = quietUntil({ de, ate, zona }, now);
        if (end === null) continue;
        expect(end.getTime()).toBeGreaterThan(now.getTime());
        expect(quietUntil({ de, ate, zona }, end)).toBeNull();
      }
    }
  });
});
