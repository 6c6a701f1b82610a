import { expect, it } from '@jest/globals';
import { newerThan2020 } from './browsers-of-2020.js';

it.each([
  ['booking.js', 'const last=list.at(-1);text.replaceAll("a","b")', ['.at(', '.replaceAll(']],
  ['booking.js', 'crypto.randomUUID();structuredClone(x)', ['.randomUUID(', 'structuredClone(']],
  ['booking.js', 'list.flat();text?.trim()??"";Promise.allSettled(all);format(x);Object.entries(x)', []],
  ['booking.css', '.a{inset:0}.b:focus-visible{height:100dvh}', ['inset:', ':focus-visible', '0dvh']],
  ['booking.css', '.a{margin-gap:0;min-height:48px;width:calc(12px + env(x))}.b:focus{top:0}', []],
  ['booking.png', 'inset:', []],
])('in %s, %j is newer where it has %j', (name, content, found) => {
  expect(newerThan2020(name, content)).toEqual(found);
});
