import { expect, it } from '@jest/globals';
import { beginningOf, hasExcessFields } from './body-limits.js';

it('a form has a thousand fields at most', () => {
  const form = (count: number) => Buffer.from(Array.from({ length: count }, (_, n) => `f${n}=`).join('&'));
  expect(hasExcessFields(form(1_000))).toBe(false);
  expect(hasExcessFields(form(1_001))).toBe(true);
});

it('the rest of a long mail is let pass', async () => {
  let sent = 0;
  async function* mail() {
    for (; sent < 5_000_000; sent += 100_000) yield await Promise.resolve(Buffer.alloc(100_000, 'x'));
  }
  expect(await beginningOf(mail())).toEqual(Buffer.alloc(256 * 1024, 'x'));
  expect(sent).toBe(5_000_000);
});
