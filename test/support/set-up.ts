import { afterAll } from '@jest/globals';
import { closeAll } from './cleanup.js';

// Runs before each test file.
afterAll(closeAll);
