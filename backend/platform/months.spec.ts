import { expect, it } from '@jest/globals';
import { dayOfMonth } from './months.js';

it.each([
  ['2026-12-01', 5, '2026-12-05'],
  ['2026-12-01', 31, '2026-12-31'],
  ['2026-11-01', 31, '2026-11-30'],
  ['2027-02-01', 29, '2027-02-28'],
  ['2028-02-01', 29, '2028-02-29'],
  ['2028-02-01', 31, '2028-02-29'],
])('of the month %s, day %i is %s', (mes, day, date) => {
  expect(dayOfMonth(mes, day)).toBe(date);
});
