import { describe, expect, it } from '@jest/globals';
import { formatAmount, formatMoney, parseMoney } from './money.js';

describe('a typed amount', () => {
  it.each([
    ['1.234,56', 123456],
    ['1234,56', 123456],
    ['1234.56', 123456],
    ['R$ 1.234,56', 123456],
    ['80', 8000],
    ['80,5', 8050],
    ['0,07', 7],
    ['1.500', 150000],
    ['1.234.567,8', 123456780],
    ['4.35', 435],
    ['99999999999', 9_999_999_999_900],
    ['-5', -500],
    ['\u22121.234,56', -123456],
  ])('%s is %i cents', (typed, cents) => {
    expect(parseMoney(typed)).toBe(cents);
  });

  it.each([
    '',
    '   ',
    'abc',
    '1,234',
    '1,234.56',
    '1.23,4',
    '12.34.56',
    '--5',
    '5-',
    '1..2',
    '99999999999999',
  ])('%j is refused, because it is empty, ambiguous or no amount', (typed) => {
    expect(parseMoney(typed)).toBeNull();
  });

  it('every amount that is written is read back', () => {
    for (const cents of [0, 1, 99, 100, 123456, 99_999_999])
      expect(parseMoney(formatAmount(cents))).toBe(cents);
  });
});

describe('a shown amount', () => {
  it('has R$ before the figure and the sign before both', () => {
    expect(formatMoney(123456)).toBe('R$\u00a01.234,56');
    expect(formatMoney(-50)).toBe('\u2212R$\u00a00,50');
  });
});
