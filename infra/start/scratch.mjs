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
 * do not wait for the disk.
 * It ends with this process, even when that is killed.
 * Answers `{ adminUrl, port, passwords, environment, stop() }`: `environment` holds the three addresses.
 */
export async function startScratch(database, { durable = false } = {}) {
  const password = () => randomBytes(12).toString('hex');
  const passwords = { superuser: password(), owner: password(), app: password(), projector: password() };
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-'));
  const server = await startPostgres({ folder, password: passwords.superuser, durable });
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('keeper.mjs', import.meta.url)), String(server.pid), folder],
    { detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    keeper.stdin.end();
  };
  try {
    await prepareServer(server.port, passwords, database);
    const environment = addresses(server.port, passwords, database);
    await migrateDatabase(environment);
    return { adminUrl: adminUrl(server.port, passwords), port: server.port, passwords, environment, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
