import { expect, test } from '@jest/globals';
import { dateOf } from './local-time.js';

test('a date is the local one, before and after midnight and changes to summer time', () => {
  expect(dateOf('2026-11-23T02:59:59.999Z', 'America/Sao_Paulo')).toBe('2026-11-22');
  expect(dateOf('2026-11-23T03:00:00Z', 'America/Sao_Paulo')).toBe('2026-11-23');
  // Until 2019, midnight was skipped in São Paulo when summer time began.
  expect(dateOf('2018-11-04T02:59:59Z', 'America/Sao_Paulo')).toBe('2018-11-03');
  expect(dateOf('2018-11-04T03:00:00Z', 'America/Sao_Paulo')).toBe('2018-11-04');
  expect(dateOf(new Date('2026-12-31T23:30:00Z'), 'Pacific/Kiritimati')).toBe('2027-01-01');
});
