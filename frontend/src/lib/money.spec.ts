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
    ['R$ -5', -500],
    ['1 234,56', 123456],
    ['80 reais', 8000],
    ['10 mil', 1_000_000],
    ['1,5 mil reais', 150_000],
    ['1.5k', 150_000],
    ['10K', 1_000_000],
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
    '10 20',
    '10 R$ 20',
    '10 milhões',
    '10 mi',
    '1.500 mil',
    '1 500 mil',
    '2 mil e 500',
    'mil',
    '10%',
    '1e3',
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
