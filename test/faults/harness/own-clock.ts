import { mkdtemp, rename, rm, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEnd } from '../../support/cleanup.js';
import { faketimeLibrary } from '../../support/needs.js';

/** The wall clock of a process, which can be set while the process runs. Clocks that measure durations are not changed. */
export interface OwnClock {
  /** Environment of the process. */
  env: Record<string, string>;
  /** Sets the clock a number of seconds ahead of the machine's; negative: behind it. */
  set(seconds: number): Promise<void>;
}

export async function ownClock(): Promise<OwnClock> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-clock-'));
  atEnd(() => rm(folder, { recursive: true }));
  // Readable for Postgres, which runs as another account.
  await chmod(folder, 0o755);
  const file = path.join(folder, 'offset');
  const set = async (seconds: number) => {
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`);
    await rename(`${file}.new`, file);
  };
  await set(0);
  const env = {
    LD_PRELOAD: faketimeLibrary!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
  return { env, set };
}
