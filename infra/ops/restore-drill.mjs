// `npm run restore:drill -- <file>`: restores a backup into a database that is made for it and dropped afterwards, as
// `npm run restore` does: rows compared with the backup's, who was forgotten since, read tables, audit. Exits 0 where all of
// that went well, and says how long it took. With DATABASE_ADMIN_URL the database is made on that server, whose roles exist
// already (their addresses are given too); without it, on a Postgres of its own. It connects to no database that is in use.
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ensureBuilt } from '../start/build.mjs';
import { backendModule, describeDatabaseError, masterKey, migrateDatabase } from '../start/database.mjs';
import { describeFolderError, root } from '../start/folder.mjs';
import { fail, Halt } from '../start/halt.mjs';
import { runProgram } from '../start/processes.mjs';
import { readSecretFiles } from '../start/secret-files.mjs';

const addressVariables = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_PROJECTOR_URL'];

// Ctrl-C reaches the restore too; what was made is dropped once that has ended.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
try {
  const [file] = process.argv.slice(2);
  if (!file) throw new Halt('informe o arquivo: npm run restore:drill -- <arquivo>.');
  await readSecretFiles();
  await ensureBuilt(['backend']);
  const started = performance.now();
  const scratch = await openScratch();
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-drill-'));
  try {
    await restore(path.resolve(file), scratch.environment, folder);
  } finally {
    await scratch.drop();
    await rm(folder, { recursive: true });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1).replace('.', ',');
  console.log(`Teste de restauração concluído em ${seconds} s: este backup pode ser restaurado.`);
} catch (error) {
  fail(describeFolderError(error));
}

function openScratch() {
  const admin = process.env.DATABASE_ADMIN_URL;
  return admin ? makeDatabase(admin) : startServer();
}

/** A Postgres that is thrown away. */
async function startServer() {
  const { startScratch } = await import('../start/scratch.mjs');
  const { environment, stop } = await startScratch('rende');
  return { environment, drop: stop };
}

/** A database beside the given one, with the same roles. */
async function makeDatabase(admin) {
  const missing = addressVariables.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Halt(`falta ${missing.join(' e ')}: com DATABASE_ADMIN_URL, informe também.`);
  const name = `rende_drill_${randomBytes(6).toString('hex')}`;
  const { rolesSql } = await backendModule('platform/database/roles.js');
  const { createDatabase, grants } = rolesSql(name, { owner: '', app: '', projector: '' });
  const drop = () => asAdmin(admin, `drop database if exists ${name} with (force)`);
  const environment = Object.fromEntries(
    addressVariables.map((variable) => [
      variable,
      Object.assign(new URL(process.env[variable]), { pathname: name }).href,
    ]),
  );
  try {
    await asAdmin(admin, createDatabase, grants);
    await migrateDatabase(environment);
  } catch (error) {
    await drop().catch(() => {});
    throw describeDatabaseError(error, 'DATABASE_ADMIN_URL');
  }
  return { environment, drop };
}

async function asAdmin(address, ...statements) {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Restores with a copy of the list of forgotten people, without the queues and the mails of who is running. */
async function restore(file, environment, folder) {
  const list = path.join(folder, 'forgotten');
  const { FORGOTTEN_FILE, REDIS_URL, REDIS_URL_FILE, SMTP_URL, SMTP_URL_FILE, ...rest } = process.env;
  await copyFile(path.resolve(root, FORGOTTEN_FILE || '.rende/forgotten'), list).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    console.log('Rende: sem a lista de dados apagados, o teste não a confere.');
    return writeFile(list, '');
  });
  await runProgram(process.execPath, ['dist/backend/server.cjs', 'restore', file], {
    cwd: root,
    stdio: 'inherit',
    env: {
      NODE_ENV: 'production',
      ...rest,
      ...environment,
      RENDE_MASTER_KEY: await masterKey(),
      MAIL_FOLDER: folder,
      FORGOTTEN_FILE: list,
    },
  }).catch(() => {
    throw new Halt(`o teste falhou: ${file} não foi restaurado. O motivo está acima.`);
  });
}
