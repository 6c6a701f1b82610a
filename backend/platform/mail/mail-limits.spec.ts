import { expect, it } from '@jest/globals';
import type { StoredEvent } from '../event-store/event-codec.js';
import { takeMail, withheldBy } from './mail-limits.js';

const standing = { stopped: null, last_at: null, to_address: 0, today: 0, allowance: 40 };

it.each([
  ['is sent', {}, null],
  ['is the last of the day to this address', { to_address: 7 }, null],
  ['goes to an address that asked for none', { stopped: 'asked' as const }, 'asked'],
  ['goes to an address that sent one back', { stopped: 'bounced' as const, to_address: 9 }, 'bounced'],
  ['is about the same within an hour', { last_at: new Date() }, 'just_sent'],
  ['is one too many to this address', { to_address: 8 }, 'enough'],
  ['is one too many of this trainer', { today: 40 }, 'allowance'],
])('a mail of the trainer that %s', (_what, differs, why) => {
  expect(withheldBy('trainer', { ...standing, ...differs })).toBe(why);
});

it('visitors leave some of an address’s mails to the trainer', () => {
  expect(withheldBy('visitor', { ...standing, to_address: 5 })).toBe('enough');
  expect(withheldBy('trainer', { ...standing, to_address: 5 })).toBeNull();
});

it.each([
  ['the first goes at once', null, {}, '10:30'],
  ['the second waits for the end of the hour', '10:00', {}, '11:00'],
  ['the third is told by the second, which waits', '11:00', {}, null],
  ['the second is one too many of the day', '10:00', { to_address: 5 }, null],
])('of mails to a visitor about the same, %s', async (_what, last, differs, sent) => {
  const at = (time: string) => new Date(`2026-11-02T${time}:00Z`);
  const last_at = last && at(last);
  const query = () => Promise.resolve([{ ...standing, ...differs, last_at }] as never[]);
  const mail = { personId: 'ana', addressHash: Buffer.of(1), cause: 'visitor', thing: 'moved' } as const;
  const occasion = { query, event: { tenantId: 'tenant' } as StoredEvent };
  expect(await takeMail(occasion, mail, at('10:30'), true)).toEqual(sent && at(sent));
});

it('a code that the person asked for is sent to an address that wants no mails, but not without end', () => {
  expect(withheldBy('code', { ...standing, stopped: 'asked', to_address: 9 })).toBeNull();
  expect(withheldBy('code', { ...standing, to_address: 10 })).toBe('enough');
  // What others asked for does not matter.
  expect(withheldBy('code', { ...standing, today: 1000 })).toBeNull();
});
