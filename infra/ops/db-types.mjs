// `npm run db:types`: migrates an empty database and writes down the types of its tables, for Kysely.
// With --check it only says whether what is written down is still right.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { generate, PostgresDialect as PostgresTypes } from 'kysely-codegen';
import { ensureBuilt } from '../start/build.mjs';
import { backendModule } from '../start/database.mjs';
import { root } from '../start/folder.mjs';
import { fail, Halt } from '../start/halt.mjs';
import { startScratch } from '../start/scratch.mjs';

const file = 'backend/platform/database/schema.generated.ts';

try {
  await ensureBuilt(['backend']);
  const scratch = await startScratch('rende');
  const types = await describeTables(scratch.environment.DATABASE_OWNER_URL).finally(scratch.stop);
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
