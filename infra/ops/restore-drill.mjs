// `npm run restore:drill -- <file>`: checks the file, and restores it, as `npm run restore` does, into a new database that is
// dropped afterwards: compares the rows with the backup's, forgets people who were forgotten since, rebuilds the read tables and runs
// the audit. Exits 0 if all of that succeeded, and prints how long it took. With DATABASE_ADMIN_URL, creates the database on
// that server, whose roles must exist (with their addresses in the environment); without it, on a temporary Postgres. It
// connects to no database that is in use.
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ensureBuilt } from '../start/build.mjs';
import { backendModule, describeDatabaseError, masterKey, migrateDatabase } from '../start/database.mjs';
import { describeFolderError, root } from '../start/folder.mjs';
import { fail, ExpectedError } from '../start/expected-error.mjs';
import { runProgram } from '../start/processes.mjs';
import { readSecretFiles } from '../start/secret-files.mjs';

const addressVariables = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_PROJECTOR_URL'];

// Ctrl-C also reaches the restore; the database is dropped after the restore has ended.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
try {
  const [file] = process.argv.slice(2);
  if (!file) throw new ExpectedError('informe o arquivo: npm run restore:drill -- <arquivo>.');
  await readSecretFiles();
  await ensureBuilt(['backend']);
  const started = performance.now();
  await check(path.resolve(file));
  const temporary = await openTemporary();
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-drill-'));
  try {
    await restore(path.resolve(file), temporary.environment, folder);
  } finally {
    await temporary.drop();
    await rm(folder, { recursive: true });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1).replace('.', ',');
  console.log(`Teste de restauração concluído em ${seconds} s: este backup pode ser restaurado.`);
} catch (error) {
  fail(describeFolderError(error));
}

/** Refuses a file that cannot be restored, before anything is created. */
async function check(file) {
  const { checkBackup } = await backendModule('platform/backup/restore.js');
  await checkBackup({ masterKey: Buffer.from(await masterKey(), 'base64') }, file).catch((error) => {
    throw new ExpectedError(`o teste falhou: ${error.message}`);
  });
}

function openTemporary() {
  const admin = process.env.DATABASE_ADMIN_URL;
  return admin ? makeDatabase(admin) : startServer();
}

async function startServer() {
  const { startTemporaryPostgres } = await import('../start/temporary-postgres.mjs');
  const { environment, stop } = await startTemporaryPostgres('rende');
  return { environment, drop: stop };
}

/** Creates a database on the given server, with its roles. */
async function makeDatabase(admin) {
  const missing = addressVariables.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new ExpectedError(`falta ${missing.join(' e ')}: com DATABASE_ADMIN_URL, informe também.`);
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

/** Restores with a copy of the list of forgotten people, and without access to the running installation's queues and SMTP. */
async function restore(file, environment, folder) {
  const list = path.join(folder, 'forgotten');
  const { FORGOTTEN_FILE, REDIS_URL, REDIS_URL_FILE, SMTP_URL, SMTP_URL_FILE, ...rest } = process.env;
  await copyFile(path.resolve(root, FORGOTTEN_FILE || '.rende/forgotten'), list).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    console.log('Rende: sem a lista de dados apagados, o teste não a confere.');
    return writeFile(list, '');
  });
  await runProgram(process.execPath, ['dist/backend/server.cjs', 'restore', '--drill', file], {
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
    throw new ExpectedError(`o teste falhou: ${file} não foi restaurado. O motivo está acima.`);
  });
}
