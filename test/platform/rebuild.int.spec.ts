import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ReadYourWrites } from '../../backend/platform/http/read-your-writes.js';
import { ProjectionBuilds } from '../../backend/platform/projections/projection-builds.js';
import { connect, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, contextOf, openTenant, startPlatform } from './platform.js';
import { AddToTally, createTallyTables, poison } from './tally.js';
import { talliesOf } from './tally-tables.js';

const database = await testDatabase();
await createTallyTables(database);
const app = await startPlatform(database);
const tallies = talliesOf(app, database);

afterEach(() => {
  poison.active = false;
});

describe('a rebuild', () => {
  const rebuild = (name: string) => app.get(ProjectionBuilds).rebuild(name);
  const snapshot = (table: string) =>
    database.query(`select to_jsonb(t) as row from read.${table} t order by to_jsonb(t)::text`);

  it.each(['tallies', 'tally-sums'])(
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
      await Promise.all([rebuild(name), rebuild(name)]);
      isDone = true;
      for (const { tenantId, position } of await writing) {
        await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
      }
      const table = name.replace('-', '_');
      const live = await snapshot(table);
      expect(await rebuild(name)).toBe(0);
      expect(await snapshot(table)).toEqual(live);
      const [sums] = await database.query<{ read: number; log: number }>(
        `select (select sum(total)::int from read.${table}) as read,
         (select sum((data->>'amount')::int)::int from events where type = 'Tallied') as log`,
      );
      expect(sums!.read).toBe(sums!.log);
    },
  );

  it('replaces rows that do not follow from the log', async () => {
    const tenantId = await openTenant(app);
    await tallies.add(tenantId, randomUUID(), 2);
    for (const table of ['tallies', 'tally_sums'])
      await database.query(`update read.${table} set total = 7 where tenant_id = $1`, [tenantId]);
    for (const name of ['tallies', 'tally-sums']) expect(await rebuild(name)).toBe(0);
    expect(await tallies.total('tallies', tenantId)).toBe(2);
    expect(await tallies.total('tally_sums', tenantId)).toBe(2);
  });

  it('ends once it has joined live projecting', async () => {
    const tenantId = await openTenant(app);
    await tallies.add(tenantId, randomUUID(), 1);
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, 1), true);
    const holder = await connect(database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query(
      "select from projection_checkpoint where tenant_id = $1 and projection = 'shared' for update",
      [tenantId],
    );
    const { position } = await addToTally(app, new AddToTally(contextOf(tenantId), randomUUID(), 2));
    let isDone = false;
    const rebuilding = rebuild('tally-sums').then(() => (isDone = true));
    const built = () =>
      database.query(
        "select position::int from projection_checkpoint where tenant_id = $1 and projection = 'tally-sums' and version > 0",
        [tenantId],
      );
    await eventually(built, [{ position: 1 }]);
    expect(isDone).toBe(false);
    await holder.query('rollback');
    await rebuilding;
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
    expect(await tallies.total('tally_sums', tenantId)).toBe(3);
  });

  it('parks only the tenant whose log it cannot read, whose rows stay as they were', async () => {
    const [poisoned, well] = [await openTenant(app), await openTenant(app)];
    // More events than one read returns.
    for (const first of [poison.amount, 1_000, 1_000]) await tallies.addMany(poisoned, 1_700, first);
    await tallies.add(well, randomUUID(), 3);
    const before = await tallies.total('tallies', poisoned);
    poison.active = true;
    expect(await rebuild('tallies')).toBeGreaterThan(0);
    expect(await tallies.parked(poisoned)).toMatchObject([{ projection: 'tallies' }]);
    expect(await tallies.total('tallies', poisoned)).toBe(before);
    expect(await tallies.total('tallies', well)).toBe(3);
    expect(await tallies.parked(well)).toEqual([]);

    poison.active = false;
    expect(await rebuild('tallies')).toBe(0);
    expect(await tallies.parked(poisoned)).toEqual([]);
    expect(await tallies.total('tallies', poisoned)).toBe(await tallies.total('tally_sums', poisoned));
  });

  it('parks a tenant whose sum exceeds the column type, as live projecting does, and rebuilds the others', async () => {
    const [poisoned, well] = [await openTenant(app), await openTenant(app)];
    for (let n = 0; n < 2; n += 1) await tallies.add(poisoned, randomUUID(), 5e18);
    await tallies.add(well, randomUUID(), 3);
    const expectParked = async () => {
      expect(await tallies.parked(poisoned)).toEqual([
        { projection: 'tally-sums', position: 1, parked_error: expect.stringContaining('22003') },
      ]);
      expect(await tallies.total('tally_sums', well)).toBe(3);
    };
    await expectParked();
    await rebuild('tally-sums');
    await expectParked();
  });

  it('begins when no batch is running that takes the projection for live', async () => {
    const batch = await connect(database.environment.DATABASE_PROJECTOR_URL);
    await batch.query('select pg_advisory_lock_shared(7263001)');
    const rebuilding = rebuild('tally-sums');
    const waiting = () =>
      database.query(
        `select classid::int, objid::int from pg_locks where locktype = 'advisory' and not granted and mode = 'ExclusiveLock'
           and database = (select oid from pg_database where datname = current_database())`,
      );
    await eventually(waiting, [{ classid: 0, objid: 7_263_001 }]);
    await batch.query('select pg_advisory_unlock_all()');
    await rebuilding;
  });

  it('is refused where the rows are of a newer release', async () => {
    const version = 'update projection_version set version = version + $1 where projection = $2';
    await database.query(version, [1, 'tally-sums']);
    await expect(rebuild('tally-sums')).rejects.toThrow('tally-sums já é de uma versão mais nova do Rende.');
    await database.query(version, [-1, 'tally-sums']);
  });
});
