import { afterAll } from '@jest/globals';
import { closeAll } from './cleanup.js';
import { tellCost } from './cost.js';

// Runs before each test file.
afterAll(async () => {
  await closeAll();
  tellCost();
});
