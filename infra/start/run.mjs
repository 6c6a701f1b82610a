// `node infra/start/run.mjs <command> [arguments]`: runs a command of the built backend on the given database or on the
// folder's embedded one, which is started first unless the app is running.
import { ensureBuilt } from './build.mjs';
import { migrateDatabase, withDatabase } from './database.mjs';
import { describeFolderError, root } from './folder.mjs';
import { fail } from './expected-error.mjs';
import { ensureInstalled } from './install.mjs';
import { runProgram } from './processes.mjs';

// Ctrl-C also reaches the command; the database is stopped after the command has ended.
process.on('SIGINT', () => {});
try {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  await withDatabase(async (environment) => {
    if (!process.env.DATABASE_URL) await migrateDatabase(environment);
    await runProgram(process.execPath, ['dist/backend/server.cjs', ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
      env: { NODE_ENV: 'production', ...process.env, ...environment },
    }).catch(() => {
      process.exitCode = 1;
    });
  });
} catch (error) {
  fail(describeFolderError(error));
}
