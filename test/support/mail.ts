import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './cleanup.js';

/** Where the applications of this test file put their mails. */
export const mailFolder = mkdtempSync(join(tmpdir(), 'rende-mail-'));
atEnd(() => rm(mailFolder, { recursive: true, force: true }));
