import { ensureBuilt } from '../../infra/start/build.mjs';
import { startScratch } from '../../infra/start/scratch.mjs';

/** One Postgres per run; its migrated database is the template that every test file's own is a copy of. */
export default async function () {
  await ensureBuilt(['backend']);
  const { port, passwords, adminUrl, stop } = await startScratch('rende_template');
  process.env.RENDE_TEST_SERVER = JSON.stringify({ port, passwords, adminUrl });
  globalThis.stopScratchPostgres = stop;
}
