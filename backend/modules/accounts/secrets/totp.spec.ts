import { describe, expect, it } from '@jest/globals';
import { enrolment, newSecret, stepOf } from './totp.js';

const SECRET = Buffer.from('12345678901234567890');

describe('a code of an authenticator app', () => {
  // Test values of appendix B of RFC 6238, the last six digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at second %d is %s', (seconds, code) => {
    expect(stepOf(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('is valid in its own half minute, the one before and the one after', () => {
    const at = (seconds: number) => stepOf(SECRET, '287082', seconds * 1000);
    expect([29, 30, 59, 60, 89].map(at)).toEqual([1, 1, 1, 1, 1]);
    expect([-1, 90].map(at)).toEqual([null, null]);
  });

  it.each(['', '28708', '2870822', 'abcdef', '287 082', '٢٨٧٠٨٢'])('is not %j', (code) => {
    expect(stepOf(SECRET, code, 59_000)).toBeNull();
  });
});

it('an enrolment address contains everything that an app needs to display and compute codes', () => {
  const secret = newSecret();
  const { uri, secret: typed } = enrolment(secret, 'Rende', 'ana@exemplo.com.br');

  const url = new URL(uri);
  expect(decodeURIComponent(uri.split('?')[0]!)).toBe('otpauth://totp/Rende:ana@exemplo.com.br');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Rende',
    secret: typed,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  expect(typed).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toEqual(secret);
});
