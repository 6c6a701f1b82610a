import { expect, it } from '@jest/globals';
import { daysToSeal, endOf } from './seal-days.js';

const at = (instant: string) => new Date(instant);

it('seals a day ten minutes after its end in Brasília', () => {
  expect(endOf('2026-11-28')).toEqual(at('2026-11-29T03:00:00Z'));
  expect(daysToSeal('2026-11-27', at('2026-11-29T03:09:59Z'))).toEqual([]);
  expect(daysToSeal('2026-11-27', at('2026-11-29T03:10:00Z'))).toEqual(['2026-11-28']);
});

it('seals every day that was missed, and at first only the last one', () => {
  expect(daysToSeal('2026-11-25', at('2026-11-29T12:00:00Z'))).toEqual([
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
  ]);
  expect(daysToSeal(undefined, at('2026-11-29T12:00:00Z'))).toEqual(['2026-11-28']);
});

it('ends a day when clocks change at midnight', () => {
  expect(endOf('2018-11-03')).toEqual(at('2018-11-04T03:00:00Z'));
});
