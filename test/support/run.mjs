import { ensureBuilt } from '../../infra/start/build.mjs';
import { startScratch } from '../../infra/start/scratch.mjs';
import { compileServer } from './compile.mjs';

let stopServer;

/**
 * Builds these parts (all unless given) and starts the one Postgres of a run: a container of the image that
 * RENDE_TEST_POSTGRES_IMAGE names, else the embedded one. Its migrated database is the template that every test file's
 * own is a copy of.
 */
export async function prepareRun(parts) {
  await ensureBuilt(parts);
  if (process.env.RENDE_TEST_SERVER) return;
  const { adminUrl, environment, stop } = await startServer('rende_template');
  process.env.RENDE_TEST_SERVER = JSON.stringify({ adminUrl, environment });
  stopServer = stop;
  await compileServer({ adminUrl, environment });
}

export async function endRun() {
  await stopServer?.();
}

async function startServer(database) {
  const image = process.env.RENDE_TEST_POSTGRES_IMAGE;
  if (!image) return startScratch(database);
  const { startPostgresContainer } = await import('./postgres-container.mjs');
  return startPostgresContainer(image, database);
}
