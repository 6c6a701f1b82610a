import { ensureBuilt } from '../../infra/start/build.mjs';
import { startScratch } from '../../infra/start/scratch.mjs';
import { compileServer } from './compile.mjs';

/** Projects that open the built pages in a browser. */
const showsPages = ['system', 'alone'];

let stopServer;

/**
 * One Postgres per run: a container of the image that RENDE_TEST_POSTGRES_IMAGE names, else the embedded one. Its
 * migrated database is the template that every test file's own is a copy of.
 */
/** @param {{ name: string }} project */
export async function setup({ name }) {
  await ensureBuilt(showsPages.includes(name) ? undefined : ['backend']);
  if (process.env.RENDE_TEST_SERVER) return;
  const { adminUrl, environment, stop } = await startServer('rende_template');
  process.env.RENDE_TEST_SERVER = JSON.stringify({ adminUrl, environment });
  stopServer = stop;
  await compileServer({ adminUrl, environment });
}

export async function teardown() {
  await stopServer?.();
}

async function startServer(database) {
  const image = process.env.RENDE_TEST_POSTGRES_IMAGE;
  if (!image) return startScratch(database);
  const { startPostgresContainer } = await import('./postgres-container.mjs');
  return startPostgresContainer(image, database);
}
