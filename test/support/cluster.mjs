import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { fingerprint } from '../../infra/start/build.mjs';
import { root } from '../../infra/start/folder.mjs';
import { startTemporaryPostgres } from '../../infra/start/temporary-postgres.mjs';

/** What decides how a migrated database looks. */
const sources = ['backend/platform/database', 'infra/start', 'migrations', 'package-lock.json'];

/** Linux' file system in memory, and how much a run needs there. */
const MEMORY = '/dev/shm';
const NEEDED = 4 * 1024 ** 3;

/**
 * Starts a temporary Postgres with the migrated, empty database `rende_template`, which is kept from run to run. Its files are
 * in memory where there is room: copying a database makes a thousand, and ext4 takes half a second of processor to
 * make them where as many were deleted in the last minutes, as by dropping another copy.
 */
export async function startCluster(options = {}) {
  const kept = path.join(root, 'node_modules/.cache/rende-clusters', await fingerprint(sources));
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const parent = bavail * bsize > NEEDED ? MEMORY : undefined;
  return startTemporaryPostgres('rende_template', { parent, ...options, kept });
}
