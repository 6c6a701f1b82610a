import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideAccept,
  decideCancel,
  decideEnd,
  decideEndArea,
  decideInvite,
  decideOpenArea,
  studentAccess,
  type StudentAccessEvent,
} from './student-access.js';

const student_id = '5b6f0b0e-55a6-4b53-8b5b-2f6a54f2b7d1';
const invited = (invite_id: string, expires_at = '2026-11-28T12:00:00.000Z'): StudentAccessEvent => ({
  type: 'StudentInvited',
  data: { student_id, invite_id, token_hash: 'ab', expires_at },
});
const accepted: StudentAccessEvent = {
  type: 'InviteAccepted',
  data: { student_id, invite_id: 'first', user_id: 'ana' },
};
const cancelled: StudentAccessEvent = { type: 'InvitesCancelled', data: { student_id } };
const ended: StudentAccessEvent = { type: 'StudentAccessEnded', data: { student_id, user_id: 'ana' } };
const now = new Date('2026-11-22T12:00:00.000Z');
const accept = (invite_id: string, user_id: string, ...events: StudentAccessEvent[]) =>
  decideAccept(given(studentAccess, ...events), { student_id, invite_id, user_id }, now);

describe('an invite', () => {
  it('is accepted by the first person, and by nobody afterwards', () => {
    expect(accept('first', 'ana', invited('first'))).toEqual([accepted]);
    expect(() => accept('first', 'bia', invited('first'), accepted)).toThrow('invites.not_valid');
  });

  it('stays valid beside a newer one, until one of them is accepted', () => {
    const both = [invited('first'), invited('second')];
    expect(accept('first', 'ana', ...both)).toEqual([accepted]);
    expect(accept('second', 'ana', ...both)).toHaveLength(1);
    expect(() => accept('second', 'bia', ...both, accepted)).toThrow('invites.not_valid');
  });

  it('is not valid from its expiry on', () => {
    expect(() => accept('first', 'ana', invited('first', now.toISOString()))).toThrow('invites.not_valid');
    expect(accept('first', 'ana', invited('first', '2026-11-22T12:00:00.001Z'))).toHaveLength(1);
  });

  it('is not valid if it was cancelled or never made', () => {
    expect(() => accept('first', 'ana', invited('first'), cancelled)).toThrow('invites.not_valid');
    expect(() => accept('first', 'ana')).toThrow('invites.not_valid');
  });

  it('accepted again by the same person changes nothing', () => {
    expect(accept('first', 'ana', invited('first'), accepted)).toEqual([]);
  });

  it('is not made for a student with an account, until that access has ended', () => {
    const { data } = invited('second') as Extract<StudentAccessEvent, { type: 'StudentInvited' }>;
    const has = given(studentAccess, invited('first'), accepted);
    expect(() => decideInvite(has, data)).toThrow('invites.already_accepted');
    expect(decideInvite(given(studentAccess, invited('first'), accepted, ended), data)).toHaveLength(1);
  });
});

it('ending an access that does not exist records nothing, nor does cancelling without invites', () => {
  expect(decideEnd(given(studentAccess), student_id)).toEqual([]);
  expect(decideCancel(given(studentAccess, invited('first'), cancelled), student_id)).toEqual([]);
});

describe('a link to the area', () => {
  const link = { student_id, link_id: 'link', token_hash: 'cd', expires_at: '2027-02-20T12:00:00.000Z' };
  const opened: StudentAccessEvent = { type: 'AreaLinkOpened', data: link };

  it('is only for a student without an account, and an account replaces it', () => {
    expect(decideOpenArea(given(studentAccess), link)).toEqual([opened]);
    const has = given(studentAccess, opened, invited('first'), accepted);
    expect(() => decideOpenArea(has, link)).toThrow('invites.already_accepted');
    expect(decideEndArea(has, student_id)).toEqual([]);
    expect(decideOpenArea(given(studentAccess, invited('first'), accepted, ended), link)).toHaveLength(1);
  });

  it('is ended once', () => {
    const endedLink: StudentAccessEvent = { type: 'AreaLinkEnded', data: { student_id, link_id: 'link' } };
    expect(decideEndArea(given(studentAccess, opened), student_id)).toEqual([endedLink]);
    expect(decideEndArea(given(studentAccess, opened, endedLink), student_id)).toEqual([]);
  });
});
