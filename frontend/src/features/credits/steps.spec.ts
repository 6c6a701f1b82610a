import { expect, it } from '@jest/globals';
import { pathOf } from './steps.js';

it('is horizontal until each change, then vertical to the new balance, and ends now', () => {
  const steps = [
    { at: 0, saldo: 4 },
    { at: 50, saldo: 2 },
    { at: 75, saldo: 0 },
  ];
  expect(pathOf(steps, 100, 200, 40)).toBe('M0 0H100V20H150V40H200');
});

it('is a horizontal line for one change, even one from just now, and empty without changes', () => {
  expect(pathOf([{ at: 100, saldo: 3 }], 100, 200, 40)).toBe('M0 0H200');
  expect(pathOf([{ at: 0, saldo: 0 }], 100, 200, 40)).toBe('M0 40H200');
  expect(pathOf([], 100, 200, 40)).toBe('');
});

it('stays within the chart if another clock was ahead', () => {
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
