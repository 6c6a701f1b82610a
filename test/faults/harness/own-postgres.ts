import pg from 'pg';
import { startScratch } from '../../../infra/start/scratch.mjs';
import { atEnd } from '../../support/cleanup.js';
import type { TestDatabase } from '../../support/database.js';

/** A Postgres of the test file's own, migrated and empty, which may be killed. */
export interface OwnPostgres extends TestDatabase {
  /** As `pg_ctl stop -m immediate`: no client is waited for, nothing is written out. */
  crash(): Promise<void>;
  /** Starts it again on the same port; it has recovered when this resolves. */
  restart(): Promise<void>;
}

/**
 * Starts it on a private port. Its commits do not wait for the disk: what is killed here are processes, and what they
 * gave to the system stays.
 */
export async function ownPostgres(): Promise<OwnPostgres> {
  const name = 'rende_faults';
  const { adminUrl, environment, stop, crash, restart } = await startScratch(name);
  const url = new URL(adminUrl);
  url.pathname = name;
  const pool = new pg.Pool({ connectionString: url.href, max: 4, application_name: 'test' });
  pool.on('error', () => undefined);
  atEnd(async () => {
    await pool.end();
    await stop();
  });
  return {
    name,
    environment,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    crash,
    restart,
  };
}
