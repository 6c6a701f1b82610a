import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { startPostgres } from '../start/postgres.mjs';
import { randomPasswords, startTemporaryPostgres } from '../start/temporary-postgres.mjs';

/**
 * Starts a durable Postgres: a temporary one, or one that is kept in `folder`, with its secrets in a file beside it.
 * Returns `{ server, passwords, masterKey, stop() }`: `server` is its host and port.
 */
export async function startCluster(database, folder) {
  if (!folder) {
    const { server, passwords, stop } = await startTemporaryPostgres(database, { durable: true });
    return { server, passwords, masterKey: newMasterKey(), stop };
  }
  const secrets = await secretsOf(`${folder}.json`);
  const { port, stop } = await startPostgres({ folder, password: secrets.passwords.superuser });
  return { ...secrets, server: `127.0.0.1:${port}`, stop };
}

async function secretsOf(file) {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text) return JSON.parse(text);
  const secrets = { masterKey: newMasterKey(), passwords: randomPasswords() };
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

function newMasterKey() {
  return randomBytes(32).toString('base64');
}
