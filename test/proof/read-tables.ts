import { setTimeout as delay } from 'node:timers/promises';
import { AppModule } from '../../backend/app.module.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { PersonalData } from '../../backend/platform/event-store/personal-data.js';
import { featuresOf } from '../../backend/platform/features.js';
import { ProjectionBuilder } from '../../backend/platform/projections/projection-builder.js';
import { ProjectorPool } from '../../backend/platform/projections/projector-pool.js';
import type { TestDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { eventually } from '../support/eventually.js';

const features = featuresOf(AppModule);

/** Events that a reaction follows and has not seen yet. */
const UNFOLLOWED = `select from jsonb_to_recordset($1) as f(name text, events text[])
  join events e on e.type = any(f.events)
  left join reaction_checkpoint r on r.tenant_id = e.tenant_id and r.reaction = f.name
  where e.position > coalesce(r.position, 0) limit 1`;

/** Names of the projections with events or rows; the others need no rebuild, since no events give no rows. */
async function foldsOfSomething(database: TestDatabase): Promise<string[]> {
  const recorded = await database.query<{ type: string }>('select distinct type from events');
  const types = new Set(recorded.map(({ type }) => type));
  const filled = features.all.projections.map(
    ({ tables }, n) =>
      `select ${n} as n where ${tables.map((table) => `exists(select from read.${table})`).join(' or ')}`,
  );
  const rows = await database.query<{ n: number }>(filled.join(' union all '));
  const withRows = new Set(rows.map(({ n }) => n));
  return features.all.projections
    .filter(({ events }, n) => withRows.has(n) || events.some((type) => types.has(type)))
    .map(({ name }) => name);
}

/** Rebuilds all read tables of the application that something is folded into. */
export async function rebuild(database: TestDatabase): Promise<void> {
  const config = readConfig(environmentFor(database));
  const personalData = new PersonalData(config);
  const decoder = { codec: new EventCodec(features, personalData), personalData };
  const pool = new ProjectorPool(config);
  try {
    const builder = new ProjectionBuilder(pool, features, decoder, () => undefined);
    for (const name of await foldsOfSomething(database)) await builder.rebuild(name);
  } finally {
    await pool.onApplicationShutdown();
  }
}

/** All rows of the read tables as text, by table. */
export async function snapshot(database: TestDatabase): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of features.all.projections.flatMap((projection) => projection.tables)) {
    const rows = await database.query<{ row: string }>(
      `select to_jsonb(t)::text as row from read.${table} t order by 1`,
    );
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
}

/** Like `caughtUp`, and also waits until reactions have seen all events that they follow. */
export async function reacted(database: TestDatabase): Promise<void> {
  await caughtUp(database);
  const followed = JSON.stringify(features.all.reactions.map(({ name, events }) => ({ name, events })));
  await eventually(async () => (await database.query(UNFOLLOWED, [followed])).length, 0);
}

/** Like `reacted`, and also waits until no mail is waiting. */
export async function followed(database: TestDatabase): Promise<void> {
  await reacted(database);
  await eventually(async () => (await database.query('select from mails where done_at is null')).length, 0);
}

/** Waits until the whole log is projected, and nothing is parked. */
export async function caughtUp(database: TestDatabase): Promise<void> {
  for (;;) {
    const [lag] = await database.query<{ behind: boolean; parked: string | null }>(
      `select coalesce(bool_or(c.position < l.position), false) as behind, min(c.parked_error) as parked
       from tenant_log l join projection_checkpoint c using (tenant_id)`,
    );
    if (lag!.parked !== null) throw new Error(`parked: ${lag!.parked}`);
    if (!lag!.behind) return;
    await delay(20);
  }
}
