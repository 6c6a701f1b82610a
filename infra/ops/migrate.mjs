// `npm run db:migrate`: brings the given database (DATABASE_OWNER_URL) or the folder's embedded one up to date.
import { ensureBuilt } from '../start/build.mjs';
import { migrateDatabase, openDatabase } from '../start/database.mjs';
import { fail } from '../start/halt.mjs';

try {
  await ensureBuilt(['backend']);
  const database = process.env.DATABASE_OWNER_URL
    ? { environment: process.env, stop: async () => {} }
    : await openDatabase({ running: true });
  try {
    const applied = await migrateDatabase(database.environment);
    console.log(applied.length ? `Aplicadas: ${applied.join(', ')}` : 'O banco já está em dia.');
  } finally {
    await database.stop();
  }
} catch (error) {
  fail(error);
}
