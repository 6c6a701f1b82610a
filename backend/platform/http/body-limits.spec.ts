import { expect, it } from '@jest/globals';
import { hasExcessFields } from './body-limits.js';

it('a form has a thousand fields at most', () => {
  const form = (count: number) => Buffer.from(Array.from({ length: count }, (_, n) => `f${n}=`).join('&'));
  expect(hasExcessFields(form(1_000))).toBe(false);
  expect(hasExcessFields(form(1_001))).toBe(true);
});
