import { expect, it } from '@jest/globals';
import { cycleOf } from './chunk-cycles.js';

const page: [string, string[]] = ['page.js', ['forms.js', 'base.js']];

it('names chunks that import each other in the order of the imports, from whichever chunk it starts', () => {
  const chunks = new Map([page, ['forms.js', ['common.js']], ['common.js', ['base.js', 'forms.js']]]);
  expect(cycleOf(chunks)).toEqual(['forms.js', 'common.js']);
});

it('reports no cycle for a chunk that several others import', () => {
  expect(cycleOf(new Map([page, ['forms.js', ['base.js']]]))).toBeUndefined();
});
