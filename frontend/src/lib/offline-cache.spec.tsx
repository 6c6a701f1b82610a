import { expect, it } from '@jest/globals';
import { tidyOfflineCache } from './offline-cache.js';
import { noteStudent } from './tenant.js';

it('deletes the mark of a student whose session was ended elsewhere', () => {
  noteStudent('7a0e6c1e-6f0a-4a6e-9a55-2f4c3b1d7e11');
  tidyOfflineCache();
  expect(Object.values(localStorage)).toEqual([]);
});
