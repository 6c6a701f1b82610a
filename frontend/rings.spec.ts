import { expect, it } from '@jest/globals';
import { ringOf } from './rings.js';

const page: [string, string[]] = ['page.js', ['forms.js', 'base.js']];

it('chunks that import each other are named in their order, whoever leads to them', () => {
  const chunks = new Map([page, ['forms.js', ['common.js']], ['common.js', ['base.js', 'forms.js']]]);
  expect(ringOf(chunks)).toEqual(['forms.js', 'common.js']);
});

it('a chunk that several others import makes no ring', () => {
  expect(ringOf(new Map([page, ['forms.js', ['base.js']]]))).toBeUndefined();
});
