// `npm run db:migrate`: migrates the database of DATABASE_OWNER_URL, or the folder's embedded one.
import { ensureBuilt } from '../start/build.mjs';
import { migrateDatabase, withDatabase } from '../start/database.mjs';
import { describeFolderError } from '../start/folder.mjs';
import { fail } from '../start/expected-error.mjs';
import { readSecretFiles } from '../start/secret-files.mjs';

try {
  await ensureBuilt(['backend']);
  await readSecretFiles();
  if (process.env.DATABASE_OWNER_URL) await migrate(process.env);
  else await withDatabase(migrate);
} catch (error) {
  fail(describeFolderError(error));
}

async function migrate(environment) {
  const applied = await migrateDatabase(environment);
  console.log(applied.length ? `Aplicadas: ${applied.join(', ')}` : 'O banco já está em dia.');
}
