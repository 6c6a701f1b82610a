import { expect, it } from '@jest/globals';
import { withinBound } from '../../../test/support/eventually.js';
import { isFile } from './spa.js';

it.each([
  ['agenda', false],
  ['alunos/1', false],
  ['v1.2/alunos', false],
  ['robots.txt', true],
  ['assets/none.js', true],
  ['.env', true],
])('%s is a file: %s', (path, expected) => {
  expect(isFile(path)).toBe(expected);
});

it('a long path of dots is parsed in bounded time', () => {
  expect(withinBound(() => isFile(`${'.'.repeat(1_000_000)}/`))).toBe(false);
});
