import { expect, it } from '@jest/globals';
import { withheldBy } from './mail-limits.js';

const standing = { stopped: null, just_sent: false, to_address: 0, today: 0, allowance: 40 };

it.each([
  ['is sent', {}, null],
  ['is the last of the day to this address', { to_address: 5 }, null],
  ['goes to an address that asked for none', { stopped: 'asked' as const }, 'asked'],
  ['goes to an address that sent one back', { stopped: 'bounced' as const, to_address: 9 }, 'bounced'],
  ['is about the same within an hour', { just_sent: true }, 'just_sent'],
  ['is one too many to this address', { to_address: 6 }, 'enough'],
  ['is one too many of this trainer', { today: 40 }, 'allowance'],
])('a mail of the trainer that %s', (_what, differs, why) => {
  expect(withheldBy('trainer', { ...standing, ...differs })).toBe(why);
});

it('a code that the person asked for is sent to an address that wants no mails, but not without end', () => {
  expect(withheldBy('code', { ...standing, stopped: 'asked', to_address: 9 })).toBeNull();
  expect(withheldBy('code', { ...standing, to_address: 10 })).toBe('enough');
});
