import { expect, it } from '@jest/globals';
import { isPassing } from './projection-failure.js';

const failure = (code: string) => Object.assign(new Error('failed'), { code });

it.each(['08006', '25006', '25P03', '25P04', '40001', '53100', '55P03', '57P01', '58030', 'ECONNRESET'])(
  'an error of the database itself (%s) is retried',
  (code) => expect(isPassing(failure(code))).toBe(true),
);

it.each(['22003', '23505', '25P02', '42P01', 'ERR_OSSL_BAD_DECRYPT'])(
  'an error caused by an event or a projection (%s) is not retried',
  (code) => expect(isPassing(failure(code))).toBe(false),
);

it('a lost connection is retried, a programming error is not', () => {
  expect(isPassing(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isPassing(new TypeError('x is undefined'))).toBe(false);
});
