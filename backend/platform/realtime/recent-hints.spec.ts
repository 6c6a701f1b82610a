import { expect, it } from '@jest/globals';
import { RecentHints } from './recent-hints.js';

const hint = (topic: string, position: number) => ({ tenantId: 't', topic, position });

it('returns the last hint of each topic since a page began to read, in the given rooms', () => {
  let now = 0;
  const recent = new RecentHints(() => now);
  now = 20_000;
  recent.note('one', hint('sessions', 1));
  recent.note('other', hint('plans', 2));
  now = 30_000;
  recent.note('one', hint('students', 3));
  recent.note('one', hint('students', 4));
  now = 31_000;
  expect(recent.within(2_000, ['one', 'unknown'])).toEqual([hint('students', 4)]);
  expect(recent.within(11_000, ['one'])).toEqual([hint('sessions', 1), hint('students', 4)]);
  expect(recent.within(11_000, ['other'])).toEqual([hint('plans', 2)]);
  expect(recent.within(0, ['one'])).toEqual([hint('students', 4)]);
});

it('returns null for times before it was created and more than a minute ago', () => {
  let now = 1_000;
  const recent = new RecentHints(() => now);
  now = 2_000;
  expect(recent.within(500, ['one'])).toEqual([]);
  expect(recent.within(1_500, ['one'])).toBeNull();
  recent.note('one', hint('sessions', 1));
  now = 70_000;
  expect(recent.within(60_500, ['one'])).toBeNull();
  recent.note('other', hint('sessions', 2));
  expect(recent.within(1_000, ['one'])).toEqual([]);
});
