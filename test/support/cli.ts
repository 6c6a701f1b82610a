import { runCommand } from '../../backend/cli.js';
import type { TestDatabase } from './database.js';
import { environmentFor } from './environment.js';

export interface Ran {
  /** Exit code. */
  code: number;
  /** Standard output and standard error. */
  output: string;
}

/** Runs a command of the backend, such as `audit:verify`, on this database: in this process, because a new one costs seconds. */
export async function runCli(
  database: Pick<TestDatabase, 'environment'>,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  let output = '';
  const write = (line: string) => void (output += `${line}\n`);
  const code = await runCommand(args, environmentFor(database, env), { print: write, complain: write });
  return { code, output };
}
