import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addresses, adminUrl, migrateDatabase, prepareServer } from './database.mjs';
import { startPostgres } from './postgres.mjs';

/**
 * Starts a Postgres that is thrown away, with the three roles and one migrated database. Unless `durable`, its commits
 * do not wait for the disk. Its folder is made in `parent`; `env` is added to its environment.
 * It ends with this process, even when that is killed.
 * Answers `{ adminUrl, port, passwords, environment, stop(), crash(), restart() }`: `environment` holds
 * the three addresses; `crash` stops it as `immediate` does, and `restart` has it recover on the same port.
 */
export async function startScratch(database, { durable = false, parent = tmpdir(), env = {} } = {}) {
  const password = () => randomBytes(12).toString('hex');
  const passwords = { superuser: password(), owner: password(), app: password(), projector: password() };
  const folder = await mkdtemp(path.join(parent, 'rende-'));
  const start = (port) => startPostgres({ folder, password: passwords.superuser, durable, port, env });
  let server = await start();
  const { port } = server;
  const keeper = spawn(process.execPath, [fileURLToPath(new URL('keeper.mjs', import.meta.url)), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    keeper.stdin.end();
  };
  const crash = async () => {
    process.kill(server.pid, 'SIGQUIT');
    await server.exited;
  };
  const restart = async () => {
    server = await start(port);
  };
  try {
    await prepareServer(port, passwords, database);
    const environment = addresses(port, passwords, database);
    await migrateDatabase(environment);
    const address = adminUrl(port, passwords);
    return { adminUrl: address, port, passwords, environment, stop, crash, restart };
  } catch (error) {
    await stop();
    throw error;
  }
}
