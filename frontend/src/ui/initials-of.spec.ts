import { expect, it } from '@jest/globals';
import { initialsOf } from './initials-of.js';

it.each([
  ['Ana Souza', 'AS'],
  ['  ana   beatriz   lima ', 'AL'],
  ['Ana', 'A'],
  ['', ''],
  ['👩🏽‍🏫 Érica 💪🏿', '👩🏽‍🏫💪🏿'],
  ['e\u0301rica lima', 'E\u0301L'],
  ['🇧🇷', '🇧🇷'],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
