import { afterAll } from 'vitest';
import { closeAll } from './cleanup.js';

// Before each test file.
afterAll(closeAll);
