import { expect } from '@jest/globals';
import { Config } from '../../backend/platform/config/env.js';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { PersonalData } from '../../backend/platform/event-store/personal-data.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import { Rebuild } from '../../backend/platform/projections/rebuild.js';
import type { TestApp } from './app.js';
import { type TestDatabase, testDatabase } from './database.js';

/** Rebuilds a projection from the log. */
async function rebuild({ nest }: TestApp, name: string): Promise<void> {
  const features = nest.get(FeatureRegistry);
  await new Rebuild(nest.get(Config), features, nest.get(EventCodec), nest.get(PersonalData)).run(name);
}

/** Rebuilds a projection from the log, and finds in its tables the very rows that were there: not none. */
export async function expectRebuildToEqualLive(app: TestApp, name: string): Promise<void> {
  const database = await testDatabase();
  const { tables } = app.nest
    .get(FeatureRegistry)
    .all.projections.find((projection) => projection.name === name)!;
  const live = await contents(database, tables);
  expect(live.every((rows) => rows.length > 0)).toBe(true);
  await rebuild(app, name);
  expect(await contents(database, tables)).toEqual(live);
}

function contents(database: TestDatabase, tables: readonly string[]) {
  return Promise.all(
    tables.map((table) =>
      database.query(`select to_jsonb(t) as row from read.${table} t order by to_jsonb(t)::text`),
    ),
  );
}
