import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { startPostgres } from '../start/postgres.mjs';
import { startScratch } from '../start/scratch.mjs';

/**
 * A durable Postgres: thrown away at the end, or kept in `folder`, with its secrets in a file beside it.
 * Answers `{ port, passwords, masterKey, stop() }`.
 */
export async function startCluster(database, folder) {
  if (!folder) {
    const { port, passwords, stop } = await startScratch(database, { durable: true });
    return { port, passwords, masterKey: newMasterKey(), stop };
  }
  const secrets = await secretsOf(`${folder}.json`);
  const server = await startPostgres({ folder, password: secrets.passwords.superuser });
  return { ...secrets, port: server.port, stop: server.stop };
}

async function secretsOf(file) {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text) return JSON.parse(text);
  const password = () => randomBytes(12).toString('hex');
  const secrets = {
    masterKey: newMasterKey(),
    passwords: { superuser: password(), owner: password(), app: password(), projector: password() },
  };
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

function newMasterKey() {
  return randomBytes(32).toString('base64');
}
