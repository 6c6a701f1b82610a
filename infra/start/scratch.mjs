import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addresses, adminUrl, migrateDatabase, prepareServer } from './database.mjs';
import { startPostgres } from './postgres.mjs';

/** Random passwords for a temporary server. */
export function scratchPasswords() {
  const password = () => randomBytes(12).toString('hex');
  return { superuser: password(), owner: password(), app: password(), projector: password() };
}

/**
 * Starts a temporary Postgres with the three roles and one migrated database. Unless `durable`, its commits do not wait for
 * the disk. Its folder is created in `parent`; `env` is added to its environment.
 * It ends with this process, even if that is killed.
 * Returns `{ server, passwords, adminUrl, environment, stop(), crash(), restart() }`: `server` is its host and port,
 * `environment` holds the three addresses; `crash` is an immediate shutdown, after which `restart` recovers on the same port.
 */
export async function startScratch(database, { durable = false, parent = tmpdir(), env = {} } = {}) {
  const passwords = scratchPasswords();
  const folder = await mkdtemp(path.join(parent, 'rende-'));
  const start = (port) => startPostgres({ folder, password: passwords.superuser, durable, port, env });
  let running = await start();
  const { port } = running;
  const server = `127.0.0.1:${port}`;
  const keeper = spawn(process.execPath, [fileURLToPath(new URL('keeper.mjs', import.meta.url)), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const stop = async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
    keeper.stdin.end();
  };
  const crash = async () => {
    process.kill(running.pid, 'SIGQUIT');
    await running.exited;
  };
  const restart = async () => {
    running = await start(port);
  };
  try {
    await prepareServer(server, passwords, database);
    const environment = addresses(server, passwords, database);
    await migrateDatabase(environment);
    const address = adminUrl(server, passwords);
    return { server, passwords, adminUrl: address, environment, stop, crash, restart };
  } catch (error) {
    await stop();
    throw error;
  }
}
