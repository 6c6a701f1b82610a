import pg from 'pg';
import { atEnd } from '../../support/cleanup.js';
import { startCluster } from '../../support/cluster.mjs';
import type { TestDatabase } from '../../support/database.js';

/** The test file's own Postgres, migrated and empty, which may be killed. */
export interface OwnPostgres extends TestDatabase {
  /** Like `pg_ctl stop -m immediate`: waits for no client and writes nothing to disk. */
  crash(): Promise<void>;
  /** Starts it again on the same port; it has recovered when this resolves. */
  restart(): Promise<void>;
  /** Creates another database, without migrations. */
  emptyDatabase(): Promise<TestDatabase>;
}

export interface OwnPostgresOptions {
  /** Folder in which its folder is created. */
  parent?: string;
  /** Additional variables for its environment. */
  env?: Record<string, string>;
}

/**
 * Starts it on a private port. Its commits do not wait for the disk: the tests kill only processes, and data that a process
 * has given to the operating system survives that.
 */
export async function ownPostgres(options: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const { adminUrl, environment, stop, crash, restart } = await startCluster(options);
  const pools: pg.Pool[] = [];
  atEnd(async () => {
    for (const pool of pools) await pool.end();
    await stop();
  });
  const database = (called: string): TestDatabase => {
    const at = (address: string) => Object.assign(new URL(address), { pathname: called }).href;
    const pool = new pg.Pool({ connectionString: at(adminUrl), max: 4, application_name: 'test' });
    pool.on('error', () => undefined);
    pools.push(pool);
    return {
      name: called,
      adminUrl: at(adminUrl),
      environment: {
        DATABASE_URL: at(environment.DATABASE_URL),
        DATABASE_OWNER_URL: at(environment.DATABASE_OWNER_URL),
        DATABASE_PROJECTOR_URL: at(environment.DATABASE_PROJECTOR_URL),
      },
      query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
        (await pool.query<Row>(text, values)).rows,
    };
  };
  const own = database('rende_template');
  return {
    ...own,
    crash,
    restart,
    async emptyDatabase() {
      const called = `empty_${pools.length}`;
      await own.query(`create database ${called} template template0 strategy file_copy owner rende_owner`);
      return database(called);
    },
  };
}
