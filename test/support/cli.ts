import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestDatabase } from './database.js';
import { environmentFor } from './environment.js';

export interface Ran {
  /** Exit code. */
  code: number | null;
  /** Standard output and standard error. */
  output: string;
}

/** Runs a command of the built backend, such as `audit:verify`, on this database. */
export async function runCli(
  database: Pick<TestDatabase, 'environment'>,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const child = spawn(process.execPath, ['test/support/compiled.cjs', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environmentFor(database, env) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
