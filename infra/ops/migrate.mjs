// `npm run db:migrate`: brings the given database or the folder's embedded one up to date.
import { ensureBuilt } from '../start/build.mjs';
import { migrateDatabase, withDatabase } from '../start/database.mjs';
import { describeFolderError } from '../start/folder.mjs';
import { fail } from '../start/halt.mjs';

try {
  await ensureBuilt(['backend']);
  await withDatabase(async (environment) => {
    const applied = await migrateDatabase(environment);
    console.log(applied.length ? `Aplicadas: ${applied.join(', ')}` : 'O banco já está em dia.');
  });
} catch (error) {
  fail(describeFolderError(error));
}
