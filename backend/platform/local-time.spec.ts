import { expect, it, test } from '@jest/globals';
import { dateOf, dayOfMonth } from './local-time.js';

test('a date is the local one, before and after midnight and changes to summer time', () => {
  expect(dateOf('2026-11-23T02:59:59.999Z', 'America/Sao_Paulo')).toBe('2026-11-22');
  expect(dateOf('2026-11-23T03:00:00Z', 'America/Sao_Paulo')).toBe('2026-11-23');
  // Until 2019, midnight was skipped in São Paulo when summer time began.
  expect(dateOf('2018-11-04T02:59:59Z', 'America/Sao_Paulo')).toBe('2018-11-03');
  expect(dateOf('2018-11-04T03:00:00Z', 'America/Sao_Paulo')).toBe('2018-11-04');
  expect(dateOf(new Date('2026-12-31T23:30:00Z'), 'Pacific/Kiritimati')).toBe('2027-01-01');
});

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
