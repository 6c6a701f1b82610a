import path from 'node:path';
import { fingerprint } from '../../infra/start/build.mjs';
import { root } from '../../infra/start/folder.mjs';
import { startTemporaryPostgres } from '../../infra/start/temporary-postgres.mjs';

/** What decides how a migrated database looks. */
const sources = ['backend/platform/database', 'infra/start', 'migrations', 'package-lock.json'];

/** Starts a temporary Postgres with the migrated, empty database `rende_template`, which is kept from run to run. */
export async function startCluster(options = {}) {
  const kept = path.join(root, 'node_modules/.cache/rende-clusters', await fingerprint(sources));
  return startTemporaryPostgres('rende_template', { ...options, kept });
}
