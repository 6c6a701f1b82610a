import { expect, it } from '@jest/globals';
import { derivedId, namedId } from './derived-id.js';

it('the id computed from a text never changes, because such ids are stored', () => {
  expect(derivedId('rende')).toBe('6c990cfc-1928-817b-8ddc-7dd74b0f19cb');
  expect(namedId('rende')).toBe('6c990cfc-1928-417b-8ddc-7dd74b0f19cb');
});
