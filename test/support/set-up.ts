import { afterAll } from '@jest/globals';
import { closeAll } from './cleanup.js';

// Before each test file.
afterAll(closeAll);
