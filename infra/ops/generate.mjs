// `npm run generate`: generates the table types for Kysely, from the migrations on an empty database, and the catalogue of
// events, from the modules. With --check only checks whether these files are up to date.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { generate, PostgresDialect as PostgresTypes } from 'kysely-codegen';
import { ensureBuilt } from '../start/build.mjs';
import { backendModule } from '../start/database.mjs';
import { root } from '../start/folder.mjs';
import { fail, ExpectedError } from '../start/expected-error.mjs';
import { startTemporaryPostgres } from '../start/temporary-postgres.mjs';
import { eventCatalogue } from './event-catalogue.mjs';

try {
  await ensureBuilt(['backend']);
  await keep('backend/platform/database/schema.generated.ts', await tableTypes());
  await keep('docs/events.md', await eventCatalogue());
} catch (error) {
  fail(error);
}

/** Writes the file; with --check, halts if its content is not `wanted`. */
async function keep(file, wanted) {
  const written = await readFile(path.join(root, file), 'utf8').catch(() => null);
  if (written === wanted) return;
  if (process.argv.includes('--check'))
    throw new ExpectedError(`${file} não corresponde ao código. Rode npm run generate e grave o resultado.`);
  await writeFile(path.join(root, file), wanted);
}

async function tableTypes() {
  const temporary = await startTemporaryPostgres('rende');
  return describeTables(temporary.environment.DATABASE_OWNER_URL).finally(temporary.stop);
}

/** The column types that `createPool` returns: int8 as number, date as text, jsonb as the stored value. */
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
