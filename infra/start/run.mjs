// `node infra/start/run.mjs <file of dist/backend> [arguments]`: runs a command of the built backend against the given
// database or the folder's embedded one, which is used as it is when the app is running, and started otherwise.
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { migrateDatabase, openDatabase } from './database.mjs';
import { root } from './folder.mjs';
import { fail } from './halt.mjs';
import { runProgram } from './processes.mjs';

const [file, ...args] = process.argv.slice(2);
try {
  await ensureBuilt(['backend']);
  const database = await openDatabase({ running: true });
  try {
    if (!process.env.DATABASE_URL) await migrateDatabase(database.environment);
    await runProgram(process.execPath, ['--enable-source-maps', path.join('dist/backend', file), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { NODE_ENV: 'production', ...process.env, ...database.environment },
    }).catch(() => {
      process.exitCode = 1;
    });
  } finally {
    await database.stop();
  }
} catch (error) {
  fail(error);
}
