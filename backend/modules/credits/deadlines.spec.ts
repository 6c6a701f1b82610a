import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Away } from '../away/student-pause.js';
import { daysLater, deadline } from './deadlines.js';

const day = (n: number) => daysLater('2030-01-01', n);
const away = (from: number, to: number): Away => ({ desde: day(from), ate: day(to) });

describe('the deadline of credits', () => {
  it.each<[string, Away[], number]>([
    ['without days away', [], 11],
    ['with a vacation before it', [away(5, 9)], 16],
    ['with a vacation that begins on its last day', [away(11, 12)], 13],
    ['with a vacation after it', [away(12, 20)], 11],
    ['with a vacation that it reaches because of another one', [away(14, 19), away(5, 14)], 26],
    ['with a pause and a vacation on the same days', [away(3, 8), away(5, 7)], 17],
    ['bought in the middle of a pause', [away(-5, 4)], 15],
  ])('%s', (_, periods, last) => {
    expect(deadline(day(11), day(1), periods)).toBe(day(last));
  });

  const period = fc.tuple(fc.integer({ min: -10, max: 60 }), fc.integer({ min: 0, max: 15 }));

  it('is the day on which the last of its days at work is used, whatever the order of saving', () => {
    fc.assert(
      fc.property(fc.array(period, { maxLength: 6 }), fc.integer({ min: 0, max: 40 }), (spans, valid) => {
        const periods = spans.map(([from, length]) => away(from, from + length));
        let [last, left] = [0, valid + 1];
        for (;;) {
          if (!periods.some(({ desde, ate }) => desde <= day(last) && day(last) <= ate)) left -= 1;
          if (left === 0) break;
          last += 1;
        }
        expect(deadline(day(valid), day(0), periods)).toBe(day(last));
      }),
      { numRuns: 300 },
    );
  });
});
