import { expect, it } from '@jest/globals';
import { mailLinkIn } from './mail-link.js';

it.each([
  ['#token=pkce_abc&type=recovery&sb=', { token: 'pkce_abc', type: 'recovery' }],
  ['', null],
  ['#', null],
  ['#token=abc', null],
  ['#error=access_denied&error_code=otp_expired', null],
])('%j carries %j', (hash, link) => {
  expect(mailLinkIn(hash)).toEqual(link);
});
