import { readConfig } from '../../backend/platform/config/env.js';
import { refuseOtherSchema } from '../../backend/platform/database/migrator.js';
import { refuseOtherMasterKey } from '../../backend/platform/event-store/master-key.js';
import type { TestDatabase } from './database.js';
import { environmentFor } from './environment.js';

/** Throws where a server would refuse to start on this database, which costs a second less than starting one. */
export async function openDatabase(database: TestDatabase, env: Record<string, string> = {}): Promise<void> {
  const config = readConfig(environmentFor(database, env));
  await refuseOtherSchema(config.databaseUrl, 'migrations');
  await refuseOtherMasterKey(config);
}
