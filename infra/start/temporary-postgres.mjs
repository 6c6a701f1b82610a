import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeHome, postgresAccount } from './account.mjs';
import { addresses, adminUrl, migrateDatabase, prepareServer } from './database.mjs';
import { startPostgres } from './postgres.mjs';

/** Random passwords for a temporary server. */
export function randomPasswords() {
  const password = () => randomBytes(12).toString('hex');
  return { superuser: password(), owner: password(), app: password(), projector: password() };
}

/**
 * Starts a temporary Postgres with the three roles and one migrated database. Unless `durable`, its commits do not wait for
 * the disk. Its folder is created in `parent`; `env` is added to its environment. With `kept`, a folder, it starts as a copy of
 * the cluster that is kept there, which the first start makes: creating and migrating one takes seconds.
 * It ends with this process, even if that is killed.
 * Returns `{ server, socket, passwords, adminUrl, environment, stop(), crash(), restart() }`: `server` is its host and port,
 * `socket` the folder of its Unix socket, if it has one,
 * `environment` holds the three addresses; `crash` is an immediate shutdown, after which `restart` recovers on the same port.
 */
export async function startTemporaryPostgres(
  database,
  { durable = false, parent = tmpdir(), env = {}, kept = '' } = {},
) {
  const passwords = randomPasswords();
  const folder = await mkdtemp(path.join(parent, 'rende-'));
  const copied = kept && (await takeKept(kept, folder));
  if (copied) passwords.superuser = copied;
  const start = (port) => startPostgres({ folder, password: passwords.superuser, durable, port, env });
  let running = await start();
  const { port } = running;
  const server = `127.0.0.1:${port}`;
  const cleaner = spawn(
    process.execPath,
    [fileURLToPath(new URL('stop-after-parent.mjs', import.meta.url)), folder],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  const stop = async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
    cleaner.stdin.end();
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
    if (kept && !copied) {
      await running.stop();
      await keep(folder, kept, passwords.superuser);
      await restart();
    }
    const address = adminUrl(server, passwords);
    const socket = process.platform === 'win32' ? '' : folder;
    return { server, socket, passwords, adminUrl: address, environment, stop, crash, restart };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Copies the kept cluster, if there is one, to the folder, and returns its superuser's password. */
async function takeKept(kept, folder) {
  const password = await readFile(path.join(kept, 'password'), 'utf8').catch(() => '');
  if (password)
    await copyData(kept, await makeHome(folder, await postgresAccount(path.join(folder, 'data'))));
  return password;
}

/** Keeps a copy of the stopped cluster for the next starts, instead of others beside it, which are of other migrations. */
async function keep(folder, kept, password) {
  const parent = path.dirname(kept);
  const part = `${kept}.${process.pid}`;
  await mkdir(part, { recursive: true });
  for (const name of await readdir(parent))
    if (!name.startsWith(path.basename(kept))) await rm(path.join(parent, name), { recursive: true });
  await copyData(folder, part);
  await writeFile(path.join(part, 'password'), password, { mode: 0o600 });
  // Fails if another run was faster.
  await rename(part, kept).catch(() => rm(part, { recursive: true }));
}

/** Files keep their owner, whom only `cp` can set. */
const copyData = (from, to) => promisify(execFile)('cp', ['-a', path.join(from, 'data'), to]);
