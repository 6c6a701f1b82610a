import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { PersonalData } from '../../backend/platform/event-store/personal-data.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import { ReadYourWrites } from '../../backend/platform/http/read-your-writes.js';
import { Rebuild } from '../../backend/platform/projections/rebuild.js';
import { connect, testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, configFor, contextOf, openTenant, startPlatform } from './platform.js';
import { AddToTally, createTallyTables, poison } from './tally.js';
import { talliesOf } from './tally-tables.js';

let database: TestDatabase;
let app: INestApplication;
let tallies: ReturnType<typeof talliesOf>;

beforeAll(async () => {
  database = await testDatabase();
  await createTallyTables(database);
  app = await startPlatform(database);
  tallies = talliesOf(app, database);
});

afterEach(() => {
  poison.active = false;
});

describe('a rebuild', () => {
  const rebuild = () =>
    new Rebuild(configFor(database), app.get(FeatureRegistry), app.get(EventCodec), app.get(PersonalData));
  const snapshot = (table: string) =>
    database.query(`select to_jsonb(t) as row from read.${table} t order by to_jsonb(t)::text`);

  it.each(['tallies', 'tally-sums', 'tally-totals'])(
    'of %s gives the same rows as live projecting, while writes continue',
    async (name) => {
      const tenants = await Promise.all(Array.from({ length: 5 }, () => openTenant(app)));
      const tallyIds = tenants.map(() => randomUUID());
      let isDone = false;
      const writing = Promise.all(
        tenants.map(async (tenantId, index) => {
          let position = 0;
          for (let n = 0; !isDone || n < 30; n += 1) {
            ({ position } = await addToTally(app, new AddToTally(contextOf(tenantId), tallyIds[index]!, n)));
          }
          return { tenantId, position };
        }),
      );
      await rebuild().run(name);
      isDone = true;
      for (const { tenantId, position } of await writing) {
        await eventually(() => app.get(ReadYourWrites).wait(tenantId, position, 'summaries'), true);
      }
      const table = name.replace('-', '_');
      const live = await snapshot(table);
      await rebuild().run(name);
      expect(await snapshot(table)).toEqual(live);
      const summed = name === 'tally-totals' ? 1 : "(data->>'amount')::int";
      const [sums] = await database.query<{ read: number; log: number }>(
        `select (select sum(total)::int from read.${table}) as read,
         (select sum(${summed})::int from events where type = 'Tallied') as log`,
      );
      expect(sums!.read).toBe(sums!.log);
    },
  );

  it.each(['tallies', 'tally-sums'])('of %s reads a long log once, on two connections', async (name) => {
    for (let n = 0; n < 3; n += 1) await tallies.addMany(await openTenant(app), 900);
    const table = name.replace('-', '_');
    const live = await snapshot(table);
    const [log] = await database.query<{ events: number }>('select count(*)::int as events from events');
    expect(await rebuild().run(name)).toEqual({ events: log!.events, parked: 0 });
    expect(await snapshot(table)).toEqual(live);
  });

  it.each([
    ['tally-sums', 'live', 3],
    ['tally-totals', 'summaries', 2],
  ])('of %s contains no event that %s has not processed yet', async (name, lane, sum) => {
    const tenantId = await openTenant(app);
    await tallies.add(tenantId, randomUUID(), 1);
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, 1, 'summaries'), true);
    const holder = await connect(database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query(
      'select from projection_checkpoint where tenant_id = $1 and projection = $2 for update',
      [tenantId, lane],
    );
    const { position } = await addToTally(app, new AddToTally(contextOf(tenantId), randomUUID(), 2));
    await rebuild().run(name);
    await holder.query('rollback');
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position, 'summaries'), true);
    expect(await tallies.total(name.replace('-', '_') as 'tally_sums' | 'tally_totals', tenantId)).toBe(sum);
  });

  it('is refused while another one runs, and leaves no lock that would block the next one', async () => {
    const other = await connect(database.environment.DATABASE_OWNER_URL);
    await other.query('select pg_advisory_lock(7263002)');
    await expect(rebuild().run('tallies')).rejects.toThrow('Outra reconstrução está em andamento.');
    await other.query('select pg_advisory_unlock_all()');
    for (let n = 0; n < 3; n += 1) await rebuild().run('tallies');
  });

  it('keeps the live rows if it cannot read a log, or, if told to, parks only that tenant', async () => {
    const [poisoned, well] = [await openTenant(app), await openTenant(app)];
    // More events than one read returns.
    for (const first of [poison.amount, 1_000, 1_000]) await tallies.addMany(poisoned, 1_700, first);
    await tallies.add(well, randomUUID(), 3);
    poison.active = true;
    const live = await snapshot('tallies');
    expect((await rebuild().run('tallies')).parked).toBeGreaterThan(0);
    expect(await snapshot('tallies')).toEqual(live);
    expect(await tallies.parked(poisoned)).toEqual([]);

    await rebuild().run('tallies', { evenParked: true });
    expect(await tallies.parked(poisoned)).toMatchObject([{ projection: 'tallies', position: 0 }]);
    expect(await tallies.total('tallies', well)).toBe(3);

    poison.active = false;
    await rebuild().run('tallies');
    expect(await tallies.parked(poisoned)).toEqual([]);
    expect(await tallies.total('tallies', poisoned)).toBe(await tallies.total('tally_sums', poisoned));
  });

  it('keeps row security on the new table', async () => {
    await rebuild().run('tallies');
    const [table] = await database.query<{ secured: boolean }>(
      "select relrowsecurity and relforcerowsecurity as secured from pg_class where oid = 'read.tallies'::regclass",
    );
    expect(table!.secured).toBe(true);
  });

  it('keeps the names of indexes and constraints', async () => {
    await rebuild().run('tallies');
    const names = await database.query(
      `select indexrelid::regclass::text as index, conname from pg_index left join pg_constraint on conindid = indexrelid
       where indrelid = 'read.tallies'::regclass order by 1`,
    );
    expect(names).toEqual([
      { index: 'read.tallies_by_total', conname: null },
      { index: 'read.tallies_pkey', conname: 'tallies_pkey' },
    ]);
  });

  it('parks a tenant whose sum exceeds the column type, as live projecting does, and rebuilds the others', async () => {
    const [poisoned, well] = [await openTenant(app), await openTenant(app)];
    for (let n = 0; n < 2; n += 1) await tallies.add(poisoned, randomUUID(), 5e18);
    await tallies.add(well, randomUUID(), 3);
    const expectParkedAt = async (position: number) => {
      expect(await tallies.parked(poisoned)).toEqual([
        { projection: 'tally-sums', position, parked_error: expect.stringContaining('22003') },
      ]);
      expect(await tallies.total('tally_sums', well)).toBe(3);
    };
    await expectParkedAt(1);
    await rebuild().run('tally-sums', { evenParked: true });
    await expectParkedAt(0);
  });
});
