import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { claimFolder, root, stateFolder } from './folder.mjs';
import { ExpectedError } from './expected-error.mjs';
import { runningPort, startPostgres } from './postgres.mjs';
import { readSecretFiles } from './secret-files.mjs';
import { folderSecrets } from './secrets.mjs';

const given = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_PROJECTOR_URL'];
const cluster = path.join(stateFolder, 'postgres');

/** A module of the built backend. */
export function backendModule(file) {
  return import(pathToFileURL(path.join(root, 'dist/backend', file)).href);
}

/**
 * Opens the database: the given one (DATABASE_URL, DATABASE_OWNER_URL and DATABASE_PROJECTOR_URL), or the embedded one of
 * this folder, which is started. Returns `{ environment, exited, stop() }`: the variables that the app needs, and a promise
 * that resolves when the embedded server ends (never, with a given database).
 */
export async function openDatabase() {
  const never = new Promise(() => {});
  const environment = await givenDatabase();
  if (environment) return { environment, exited: never, stop: async () => {} };
  const secrets = await folderSecrets();
  const server = await startPostgres({ folder: cluster, password: secrets.passwords.superuser });
  try {
    await prepareServer(`127.0.0.1:${server.port}`, secrets.passwords, 'rende');
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { environment: embedded(server.port, secrets), exited: server.exited, stop: server.stop };
}

/** Calls `use` with the variables of the database: the given one, or the embedded one, started first unless it runs. */
export async function withDatabase(use) {
  const environment = await givenDatabase();
  if (environment) return use(environment);
  const port = await runningPort(cluster);
  if (port) return use(embedded(port, await folderSecrets()));
  const folder = await claimFolder();
  try {
    const database = await openDatabase();
    await use(database.environment).finally(database.stop);
  } finally {
    await folder.release();
  }
}

async function givenDatabase() {
  await readSecretFiles();
  const missing = given.filter((name) => !process.env[name]);
  if (missing.length === given.length) return null;
  if (missing.length > 0) {
    throw new ExpectedError(
      `falta ${missing.join(' e ')}: com um Postgres seu, informe ${given.join(', ')} (npm run db:roles cria os papéis).`,
    );
  }
  const addresses = Object.fromEntries(given.map((name) => [name, process.env[name]]));
  return { ...addresses, RENDE_MASTER_KEY: await masterKey() };
}

function embedded(port, { masterKey: key, passwords }) {
  return {
    ...addresses(`127.0.0.1:${port}`, passwords, 'rende'),
    RENDE_MASTER_KEY: process.env.RENDE_MASTER_KEY || key,
  };
}

/** The master key: RENDE_MASTER_KEY, or else the one of this folder. */
export async function masterKey() {
  if (process.env.RENDE_MASTER_KEY) return process.env.RENDE_MASTER_KEY;
  console.log(
    'Rende: sem RENDE_MASTER_KEY, foi usada a chave de .rende/secrets.json. Guarde uma cópia dela.',
  );
  return (await folderSecrets()).masterKey;
}

/** The three addresses of a database, one for each role. `server` is host and port, such as 127.0.0.1:5432. */
export function addresses(server, passwords, database) {
  const address = (role, password) => `postgres://${role}:${password}@${server}/${database}`;
  return {
    DATABASE_URL: address('rende_app', passwords.app),
    DATABASE_OWNER_URL: address('rende_owner', passwords.owner),
    DATABASE_PROJECTOR_URL: address('rende_projector', passwords.projector),
  };
}

/** The superuser's address on a server. */
export function adminUrl(server, passwords) {
  return `postgres://postgres:${passwords.superuser}@${server}/postgres`;
}

export async function prepareServer(server, passwords, database) {
  const { default: pg } = await import('pg');
  const { applyRoles } = await backendModule('platform/database/roles.js');
  const client = new pg.Client({ connectionString: adminUrl(server, passwords) });
  await client.connect();
  try {
    await applyRoles(client, database, passwords);
  } finally {
    await client.end();
  }
}

/** Runs the migrations that the database does not have yet. */
export async function migrateDatabase({ DATABASE_OWNER_URL }) {
  const { migrate, MigrationError } = await backendModule('platform/database/migrator.js');
  try {
    return await migrate(DATABASE_OWNER_URL, path.join(root, 'migrations'));
  } catch (error) {
    if (error instanceof MigrationError) throw new ExpectedError(error.message);
    throw describeDatabaseError(error, 'DATABASE_OWNER_URL');
  }
}

/** Turns a connection error, or one that the server reported, into one line that names the variable with its address. */
export function describeDatabaseError(error, variable) {
  const refused =
    error.severity || ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT'].includes(error.code);
  return refused
    ? new ExpectedError(`não foi possível usar o Postgres de ${variable}: ${error.message || error.code}`)
    : error;
}
