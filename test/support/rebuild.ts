import { expect } from '@jest/globals';
import { Config } from '../../backend/platform/config/env.js';
import { createPool } from '../../backend/platform/database/pools.js';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { PersonalData } from '../../backend/platform/event-store/personal-data.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import type { Projection, Range } from '../../backend/platform/projections/projection.js';
import { replay } from '../../backend/platform/projections/replay.js';
import { caughtUp } from '../proof/read-tables.js';
import type { TestApp } from './app.js';
import { type TestDatabase, testDatabase } from './database.js';

/** Replays the tenants' log into new tables, and expects the same rows as in the projection's own, and at least one. */
export async function expectRebuildToEqualLive(app: TestApp, name: string): Promise<void> {
  const database = await testDatabase();
  const projection = app.nest.get(FeatureRegistry).all.projections.find((each) => each.name === name)!;
  for (;;) {
    const before = await tenantsOf(database);
    await caughtUp(database);
    const live = await Promise.all(
      projection.tables.map((table) => database.query(rowsOf(`read.${table}`), [before.map(tenantId)])),
    );
    const rebuilt = await replayed(app, projection, before);
    // Retry if a job has recorded events meanwhile, such as the copy of a signed contract: only the rebuilt rows have them.
    if (JSON.stringify(await tenantsOf(database)) !== JSON.stringify(before)) continue;
    expect(live.every((rows) => rows.length > 0)).toBe(true);
    expect(rebuilt).toEqual(live);
    return;
  }
}

const tenantId = (range: Range): string => range.tenantId;
const rowsOf = (table: string) =>
  `select to_jsonb(t) as row from ${table} t where tenant_id = any($1::uuid[]) order by to_jsonb(t)::text`;

/** The logs of the tenants of this test file. */
const tenantsOf = (database: TestDatabase): Promise<Range[]> =>
  database.query(
    `select tenant_id as "tenantId", 0 as low, position as high from tenant_log where tenant_id <> all($1::uuid[]) order by 1`,
    [database.others ?? []],
  );

/** The rows that replaying these logs makes. */
async function replayed({ nest }: TestApp, projection: Projection, logs: readonly Range[]) {
  const pool = createPool(nest.get(Config).databaseOwnerUrl!, {
    max: 1,
    searchPath: 'rebuild,public,read',
    applicationName: 'test',
  });
  const client = await pool.connect();
  try {
    await client.query('begin; create schema rebuild');
    for (const table of projection.tables)
      await client.query(`create table rebuild.${table} (like read.${table} including all)`);
    const decoder = { codec: nest.get(EventCodec), personalData: nest.get(PersonalData) };
    await replay(client, projection, logs, decoder);
    const rows: unknown[] = [];
    for (const table of projection.tables)
      rows.push((await client.query(rowsOf(`rebuild.${table}`), [logs.map(tenantId)])).rows);
    return rows;
  } finally {
    await client.query('rollback');
    client.release();
    await pool.end();
  }
}
