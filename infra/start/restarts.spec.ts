import { expect, test } from '@jest/globals';
import { Restarts } from './restarts.mjs';

const MINUTE = 60_000;

test('allows five restarts in ten minutes', () => {
  const restarts = new Restarts();
  expect([0, 1, 2, 3, 4, 9.99].map((minute) => restarts.next(minute * MINUTE))).toEqual([
    1,
    2,
    3,
    4,
    5,
    null,
  ]);
});

test('forgets each restart after ten minutes', () => {
  const restarts = new Restarts();
  for (const minute of [0, 6, 6, 6, 6]) restarts.next(minute * MINUTE);
  expect(restarts.next(10 * MINUTE)).toBe(5);
  expect(restarts.next(10 * MINUTE)).toBeNull();
  expect(restarts.next(16 * MINUTE)).toBe(2);
});
