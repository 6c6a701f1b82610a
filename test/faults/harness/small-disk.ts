import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe } from '@jest/globals';
import { atEnd } from '../../support/cleanup.js';

const CHUNK = Buffer.alloc(64 * 1024);

/** The test file's own disk, in memory. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk completely. */
  fill(): Promise<void>;
  /** Frees the space that `fill` took. */
  free(): Promise<void>;
}

export function smallDisk(megabytes: number): SmallDisk {
  const folder = mount(megabytes);
  atEnd(() => unmount(folder));
  const filler = path.join(folder, 'filler');
  return {
    folder,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (;;) await file.write(CHUNK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
  };
}

function mount(megabytes: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rende-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return folder;
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
}

function unmount(folder: string): void {
  execFileSync('umount', [folder]);
  rmdirSync(folder);
}

function canMount(): boolean {
  try {
    unmount(mount(1));
    return true;
  } catch {
    return false;
  }
}

/** A suite that needs its own disk; skipped, with the reason in its name, if this account may not mount one (most containers). */
export const describeWithDisk = canMount()
  ? describe
  : (name: string, suite: () => void) =>
      describe.skip(`${name} (falta permissão para montar um disco)`, suite);
