import { expect } from '@jest/globals';
import { Config } from '../../backend/platform/config/env.js';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { PersonalData } from '../../backend/platform/event-store/personal-data.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import { Rebuild } from '../../backend/platform/projections/rebuild.js';
import { caughtUp } from '../proof/read-tables.js';
import type { TestApp } from './app.js';
import { type TestDatabase, testDatabase } from './database.js';

/** Rebuilds a projection from the log. */
async function rebuild({ nest }: TestApp, name: string): Promise<void> {
  const features = nest.get(FeatureRegistry);
  await new Rebuild(nest.get(Config), features, nest.get(EventCodec), nest.get(PersonalData)).run(name);
}

/** Rebuilds a projection from the log, and expects the same rows as before in its tables, and at least one. */
export async function expectRebuildToEqualLive(app: TestApp, name: string): Promise<void> {
  const database = await testDatabase();
  const { tables } = app.nest
    .get(FeatureRegistry)
    .all.projections.find((projection) => projection.name === name)!;
  for (;;) {
    const before = await head(database);
    await caughtUp(database);
    const live = await contents(database, tables);
    await rebuild(app, name);
    const rebuilt = await contents(database, tables);
    // Retry if a job has recorded events meanwhile, such as the copy of a signed contract: only the rebuilt rows have them.
    if ((await head(database)) !== before) continue;
    expect(live.every((rows) => rows.length > 0)).toBe(true);
    expect(rebuilt).toEqual(live);
    return;
  }
}

/** The sum of all tenants' positions. */
async function head(database: TestDatabase): Promise<string> {
  const [row] = await database.query<{ head: string }>('select sum(position)::text as head from tenant_log');
  return row!.head;
}

function contents(database: TestDatabase, tables: readonly string[]) {
  return Promise.all(
    tables.map((table) =>
      database.query(`select to_jsonb(t) as row from read.${table} t order by to_jsonb(t)::text`),
    ),
  );
}
