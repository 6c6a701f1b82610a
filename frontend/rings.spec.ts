import { expect, it } from '@jest/globals';
import { ringOf } from './rings.js';

const page: [string, string[]] = ['page.js', ['forms.js', 'base.js']];

it('names chunks that import each other in the order of the imports, from whichever chunk it starts', () => {
  const chunks = new Map([page, ['forms.js', ['common.js']], ['common.js', ['base.js', 'forms.js']]]);
  expect(ringOf(chunks)).toEqual(['forms.js', 'common.js']);
});

it('reports no ring for a chunk that several others import', () => {
  expect(ringOf(new Map([page, ['forms.js', ['base.js']]]))).toBeUndefined();
});
