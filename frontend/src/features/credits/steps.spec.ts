import { expect, it } from '@jest/globals';
import { pathOf } from './steps.js';

it('goes level to each change, and then up or down to the balance after it, until now', () => {
  const steps = [
    { at: 0, saldo: 4 },
    { at: 50, saldo: 2 },
    { at: 75, saldo: 0 },
  ];
  expect(pathOf(steps, 100, 200, 40)).toBe('M0 0H100V20H150V40H200');
});

it('is a level line for one change, also where it is from right now, and nothing without any', () => {
  expect(pathOf([{ at: 100, saldo: 3 }], 100, 200, 40)).toBe('M0 0H200');
  expect(pathOf([{ at: 0, saldo: 0 }], 100, 200, 40)).toBe('M0 40H200');
  expect(pathOf([], 100, 200, 40)).toBe('');
});

it('stays in the field where another clock was ahead', () => {
  expect(
    pathOf(
      [
        { at: 0, saldo: 1 },
        { at: 120, saldo: 2 },
      ],
      100,
      200,
      40,
    ),
  ).toBe('M0 20H200V0H200');
});
