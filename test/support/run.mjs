import { randomBytes } from 'node:crypto';
import { ensureBuilt } from '../../infra/start/build.mjs';
import { backendModule } from '../../infra/start/database.mjs';
import { startCluster } from './cluster.mjs';
import { compileServer } from './compile.mjs';

let stopServer;

/**
 * Builds these parts (default: all) and starts the Postgres of a test run: a container of the image in
 * RENDE_TEST_POSTGRES_IMAGE, else the embedded one. Its migrated database is the template for every test file's database.
 */
export async function prepareRun(parts) {
  await ensureBuilt(parts);
  if (process.env.RENDE_TEST_SERVER) return;
  const { adminUrl, environment, socket, stop } = await startServer();
  process.env.RENDE_TEST_SERVER = JSON.stringify({ adminUrl, environment, socket });
  process.env.RENDE_TEST_MASTER_KEY = randomBytes(32).toString('base64');
  process.env.RENDE_TEST_CERTIFICATE = JSON.stringify(await newCertificate());
  stopServer = stop;
  await compileServer({ adminUrl, environment });
}

export async function endRun() {
  // Without workers, the browser and the application of all files are of this process.
  const { rendeBrowser, rendeShared } = globalThis;
  Object.assign(globalThis, { rendeBrowser: undefined, rendeShared: undefined });
  await (await rendeBrowser)?.close();
  await (await rendeShared)?.app.nest.close();
  await stopServer?.();
}

/** A certificate to sign PDFs, for all apps of the run, since creating one takes as long as starting an app. */
async function newCertificate() {
  const made = await (
    await backendModule('platform/pdf/certificate.js')
  ).newCertificate('localhost', new Date());
  const pem = (label, der) => {
    const lines = der.toString('base64').match(/.{1,64}/g);
    return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
  };
  return {
    PDF_CERTIFICATE: pem('CERTIFICATE', made.certificate),
    PDF_PRIVATE_KEY: pem('PRIVATE KEY', made.privateKey),
  };
}

async function startServer() {
  const image = process.env.RENDE_TEST_POSTGRES_IMAGE;
  if (!image) return startCluster();
  const { startPostgresContainer } = await import('./postgres-container.mjs');
  return startPostgresContainer(image, 'rende_template');
}
