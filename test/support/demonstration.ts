import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { caughtUp } from '../proof/read-tables.js';
import { startApp, type TestApp } from './app.js';
import { SetClock } from './clock.js';
import { testDatabase } from './database.js';

export interface Login {
  email: string;
  password: string;
}

/** Starts the application at this time and fills it by `npm run demo`, with every `every`-th of its students and entries. */
export async function startDemonstration(
  now: Date,
  every: number,
): Promise<{ app: TestApp; trainer: Login; student: Login }> {
  const app = await startApp({ clock: new SetClock(now) });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['infra/demo/demo.mjs', '--every', String(every)],
    { env: { PATH: process.env.PATH, RENDE_URL: app.url } },
  );
  const login = (found: RegExp): Login => {
    const [, email, password] = found.exec(stdout)!;
    return { email: email!, password: password! };
  };
  await caughtUp(await testDatabase());
  return {
    app,
    trainer: login(/e-mail +(\S+)\s+senha +(\S+)/),
    student: login(/^Aluno .*: (\S+) \/ (\S+)$/m),
  };
}
