// `npm run db:types`: migrates an empty database and writes down the types of its tables, for Kysely.
// With --check it only says whether what is written down is still right.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { generate, PostgresDialect as PostgresTypes } from 'kysely-codegen';
import pg from 'pg';
import { ensureBuilt } from '../start/build.mjs';
import { addresses, backendModule, migrateDatabase } from '../start/database.mjs';
import { root } from '../start/folder.mjs';
import { fail, Halt } from '../start/halt.mjs';
import { startPostgres } from '../start/postgres.mjs';

const file = 'backend/platform/database/schema.generated.ts';

try {
  await ensureBuilt(['backend']);
  const types = await withEmptyDatabase(async (environment) => {
    await migrateDatabase(environment);
    return describeTables(environment.DATABASE_OWNER_URL);
  });
  const written = await readFile(path.join(root, file), 'utf8').catch(() => null);
  if (written !== types) {
    if (process.argv.includes('--check')) {
      throw new Halt(`${file} não corresponde às migrações. Rode npm run db:types e grave o resultado.`);
    }
    await writeFile(path.join(root, file), types);
  }
} catch (error) {
  fail(error);
}

/** Calls `use` with the addresses of a database that is thrown away afterwards. */
async function withEmptyDatabase(use) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-types-'));
  await chmod(folder, 0o755);
  const secret = () => randomBytes(16).toString('hex');
  const passwords = { superuser: secret(), owner: secret(), app: secret(), projector: secret() };
  try {
    const server = await startPostgres({
      folder: path.join(folder, 'postgres'),
      password: passwords.superuser,
      durable: false,
    });
    try {
      const { applyRoles } = await backendModule('platform/database/roles.js');
      const client = new pg.Client({
        connectionString: `postgres://postgres:${passwords.superuser}@127.0.0.1:${server.port}/postgres`,
      });
      await client.connect();
      await applyRoles(client, 'rende', passwords);
      await client.end();
      return await use(addresses(server.port, passwords, 'rende'));
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The types as `createPool` delivers them: int8 as number, date as text, jsonb as whatever was stored. */
async function describeTables(connectionString) {
  const defaultSchemas = ['public', 'read'];
  const { createPool } = await backendModule('platform/database/pools.js');
  const pool = createPool(connectionString, {
    max: 1,
    searchPath: 'public,read',
    applicationName: 'rende-types',
  });
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    return await generate({
      db,
      dialect: new PostgresTypes({ defaultSchemas, dateParser: 'string' }),
      defaultSchemas,
      excludePattern: '{bullmq.*,public.schema_migrations}',
      typeMapping: { int8: 'number', jsonb: 'unknown' },
      outFile: null,
    });
  } finally {
    await db.destroy();
  }
}
