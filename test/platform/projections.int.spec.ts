import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { PutOff } from '../../backend/platform/jobs/define-job.js';
import { ReadYourWrites } from '../../backend/platform/http/read-your-writes.js';
import { Metrics } from '../../backend/platform/ops/metrics.js';
import { Readiness } from '../../backend/platform/ops/readiness.js';
import { ProjectionBuilds } from '../../backend/platform/projections/projection-builds.js';
import { ProjectionRunner } from '../../backend/platform/projections/projection-runner.js';
import { Projector } from '../../backend/platform/projections/projector.js';
import { connect, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, contextOf, forgetTally, openTenant, startPlatform } from './platform.js';
import {
  AddToTally,
  createTallyTables,
  NextTallyModule,
  poison,
  tallied,
  tally,
  type TallyEvent,
} from './tally.js';
import { talliesOf } from './tally-tables.js';

const database = await testDatabase();
await createTallyTables(database);
const app = await startPlatform(database);
const tallies = talliesOf(app, database);

afterEach(() => {
  poison.active = false;
});

describe('a poisoned event', () => {
  it('parks one projection of its tenant, visibly, and the others go on', async () => {
    const [poisoned, well] = [await openTenant(app), await openTenant(app)];
    const [first, second] = [randomUUID(), randomUUID()];
    await tallies.add(poisoned, first, 1);
    poison.active = true;
    await tallies.add(poisoned, first, poison.amount);
    await tallies.add(poisoned, first, 2);
    await tallies.add(well, second, 5);

    expect(await tallies.parked(poisoned)).toEqual([
      { projection: 'tallies', position: 1, parked_error: expect.stringContaining('Tallied at position 2') },
    ]);
    expect(await tallies.total('tallies', poisoned)).toBe(1);
    expect(await tallies.total('tally_sums', poisoned)).toBe(669);
    expect(await tallies.total('tallies', well)).toBe(5);
    expect(await tallies.parked(well)).toEqual([]);
  });

  it('resumes after the fix where it stopped', async () => {
    const tenantId = await openTenant(app);
    const tallyId = randomUUID();
    await tallies.add(tenantId, tallyId, 1);
    poison.active = true;
    await tallies.add(tenantId, tallyId, poison.amount);
    await tallies.add(tenantId, tallyId, 2);
    await app.get(ProjectionBuilds).resumeAll();
    expect(await tallies.parked(tenantId)).toHaveLength(1);

    poison.active = false;
    await app.get(ProjectionBuilds).resumeAll();
    // The scheduled job that resumes projections may be doing it already.
    await eventually(() => tallies.parked(tenantId), []);
    expect(await tallies.total('tallies', tenantId)).toBe(669);
    await tallies.add(tenantId, tallyId, 1);
    expect(await tallies.total('tallies', tenantId)).toBe(670);
  });
});

describe('two workers', () => {
  it('that project the same tenants at once apply each event once', async () => {
    const other = await startPlatform(database);
    const [tenantId, tallyId] = [await openTenant(app), randomUUID()];
    const projectors = [app, other].map((each) => each.get(Projector));
    let position = 0;
    for (let n = 1; n <= 30; n += 1) {
      ({ position } = await addToTally(app, new AddToTally(contextOf(tenantId), tallyId, 1)));
      await Promise.all(projectors.map((projector) => projector.batch([tenantId])));
    }
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
    expect(await tallies.total('tallies', tenantId)).toBe(30);
    expect(await tallies.total('tally_sums', tenantId)).toBe(30);
  });
});

describe('a job that names tenants', () => {
  it('waits for a tenant that another worker holds, since that may have read too early, and is then put off', async () => {
    const runner = app.get(ProjectionRunner);
    const [held, free] = [await openTenant(app), await openTenant(app)];
    await tallies.add(held, randomUUID(), 1);
    const holder = await connect(database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query('select from projection_checkpoint where tenant_id = $1 for update', [held]);
    await addToTally(app, new AddToTally(contextOf(held), randomUUID(), 2));
    await expect(runner.project([held])).rejects.toThrow(PutOff);

    let isDone = false;
    const projecting = runner.project([held, free]).then(() => (isDone = true));
    for (let n = 0; n < 3; n += 1) await runner.project([free]);
    expect(isDone).toBe(false);
    await holder.query('rollback');
    await projecting;
    expect(await tallies.total('tallies', held)).toBe(3);
  });
});

describe('the lag', () => {
  const metric = async (gauge: 'projectionLagSeconds' | 'projectionLagEvents') =>
    (await app.get(Metrics)[gauge].get()).values[0]!.value;
  const isReady = async () => (await app.get(Readiness).look()).checks.projections === 'ok';

  it('is the age of the oldest event that is not projected; if it is too long, the process is not ready', async () => {
    const [tenantId, tallyId] = [await openTenant(app), randomUUID()];
    await tallies.add(tenantId, tallyId, 1);
    // A parked projection has its own checkpoint, which does not count as lag.
    await database.query(
      `insert into projection_checkpoint (tenant_id, projection, position, parked_error, parked_at)
       values ($1, 'tallies', 1, 'fault', now())`,
      [tenantId],
    );
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, 1), true);
    const holder = await connect(database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query('select from projection_checkpoint where tenant_id = $1 for update', [tenantId]);
    for (const amount of [2, 3]) await addToTally(app, new AddToTally(contextOf(tenantId), tallyId, amount));
    await database.query(`
      set session_replication_role = replica;
      update events set recorded_at = recorded_at - make_interval(mins => (array[50, 5, 1])[position])
        where tenant_id = '${tenantId}';
      reset session_replication_role`);

    await eventually(isReady, false);
    const seconds = await metric('projectionLagSeconds');
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThan(600);
    expect(await metric('projectionLagEvents')).toBe(2);

    await holder.query('rollback');
    await eventually(isReady, true);
    expect(await metric('projectionLagSeconds')).toBe(0);
    expect(await metric('projectionLagEvents')).toBe(0);
    expect(await tallies.total('tally_sums', tenantId)).toBe(6);
  });
});

it('events without a wake-up are found by the sweep', async () => {
  const [tenantId, tallyId] = [await openTenant(app), randomUUID()];
  await tallies.add(tenantId, tallyId, 7);
  await database.query(`
    delete from read.tallies where tenant_id = '${tenantId}';
    delete from read.tally_sums where tenant_id = '${tenantId}';
    update projection_checkpoint set position = 0 where tenant_id = '${tenantId}'`);
  await eventually(() => tallies.total('tallies', tenantId), 7);
  expect(await tallies.total('tally_sums', tenantId)).toBe(7);
});

describe('forgetting', () => {
  it('folds the rows again, once, without data that is no longer readable', async () => {
    const tenantId = await openTenant(app);
    const [tallyId, other] = [randomUUID(), randomUUID()];
    const command = { context: contextOf(tenantId) };
    const { position } = await app.get(EventStore).transact(command, (tx) => {
      const noted = (id: string, amount: number) =>
        tallied(new AddToTally(command.context, id, amount, `nota ${amount}`));
      tx.append(tally, tallyId, [noted(tallyId, 1), noted(tallyId, 2)]);
      tx.append(tally, other, [noted(other, 5)]);
      return { id: tallyId };
    });
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
    const rows = () =>
      database.query(
        'select id, total::int, note, versions from read.tallies where tenant_id = $1 order by total',
        [tenantId],
      );
    const others = { id: other, total: 5, note: 'nota 5', versions: [1] };
    expect(await rows()).toEqual([{ id: tallyId, total: 3, note: 'nota 2', versions: [1, 2] }, others]);

    const forgotten = await forgetTally(app, tenantId, tallyId);
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, forgotten.position), true);
    expect(await rows()).toEqual([{ id: tallyId, total: 3, note: null, versions: [1, 2] }, others]);
  });

  it('includes all streams, however many', async () => {
    const tenantId = await openTenant(app);
    const command = { context: contextOf(tenantId) };
    const ids = Array.from({ length: 250 }, () => randomUUID());
    const after = async (event: (id: string) => TallyEvent) => {
      const { position } = await app.get(EventStore).transact(command, async (tx) => {
        await Promise.all(ids.map((id) => tx.load(tally, id)));
        for (const id of ids) tx.append(tally, id, [event(id)]);
        return { id: tenantId };
      });
      await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
      const sql = 'select count(note)::int, sum(total)::int from read.tallies where tenant_id = $1';
      return (await database.query(sql, [tenantId]))[0];
    };
    const noted = (id: string) => tallied(new AddToTally(command.context, id, 1, 'nota'));
    expect(await after(noted)).toEqual({ count: 250, sum: 250 });
    const forgotten = (tally_id: string): TallyEvent => ({ type: 'TallyForgotten', data: { tally_id } });
    expect(await after(forgotten)).toEqual({ count: 0, sum: 250 });
  });
});

describe('the next release, which adds a projection and changes another,', () => {
  const built = [
    ['tallies', 60],
    ['tally_sums', 6],
    ['tally_counts', 3],
  ] as const;

  it('builds both from the log by itself, and reports them as behind until then', async () => {
    const [tenantId, tallyId] = [await openTenant(app), randomUUID()];
    for (const amount of [1, 2, 3]) await tallies.add(tenantId, tallyId, amount);
    const builder = await connect(database.environment.DATABASE_OWNER_URL);
    await builder.query('begin; lock table read.tallies, read.tally_counts in share mode');
    const next = await startPlatform(database, {}, NextTallyModule);
    // `tally-sums` is parked for a tenant of an earlier test.
    const behind = async () =>
      Object.entries((await next.get(Readiness).look()).checks).flatMap(([name, state]) =>
        name.startsWith('projection ') && name !== 'projection tally-sums' && state !== 'ok' ? [name] : [],
      );
    await eventually(behind, ['projection tallies', 'projection tally-counts']);
    expect((await next.get(Readiness).look()).status).toBe('ok');
    expect(await next.get(ReadYourWrites).isBehind(tenantId)).toBe(true);
    // The rows of the previous release stay until the new ones replace them.
    expect(await tallies.total('tallies', tenantId)).toBe(6);

    await builder.query('rollback');
    await eventually(async () => (await tallies.parked(tenantId)).length, 0);
    for (const [table, sum] of built) expect(await tallies.total(table, tenantId)).toBe(sum);
    await eventually(() => next.get(ReadYourWrites).isBehind(tenantId), false);
  });

  it('takes each event once, while workers of both releases project', async () => {
    const next = await startPlatform(database, {}, NextTallyModule);
    const [tenantId, tallyId] = [await openTenant(app), randomUUID()];
    let position = 0;
    for (let n = 1; n <= 40; n += 1) {
      ({ position } = await addToTally(app, new AddToTally(contextOf(tenantId), tallyId, 1)));
      await Promise.all([app, next].map((each) => each.get(Projector).batch([tenantId])));
      if (n % 10 === 0) await next.get(ProjectionBuilds).buildAll();
    }
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
    await eventually(async () => {
      await next.get(ProjectionBuilds).buildAll();
      return (await tallies.parked(tenantId)).length;
    }, 0);
    expect(await tallies.total('tallies', tenantId)).toBe(400);
    expect(await tallies.total('tally_sums', tenantId)).toBe(40);
    expect(await tallies.total('tally_counts', tenantId)).toBe(40);
  });

  it('forgets a person also in projections that are not built yet', async () => {
    const next = await startPlatform(database, {}, NextTallyModule);
    const [tenantId, tallyId] = [await openTenant(app), randomUUID()];
    await addToTally(app, new AddToTally(contextOf(tenantId), tallyId, 1, 'nota'));
    const { position } = await forgetTally(app, tenantId, tallyId);
    await eventually(() => next.get(ReadYourWrites).wait(tenantId, position), true);
    await eventually(async () => (await tallies.parked(tenantId)).length, 0);
    const rows = await database.query('select total::int, note from read.tallies where tenant_id = $1', [
      tenantId,
    ]);
    expect(rows).toEqual([{ total: 10, note: null }]);
  });

  it('parks for one tenant what it cannot build', async () => {
    const [poisoned, well] = [await openTenant(app), await openTenant(app)];
    const tallyId = randomUUID();
    await tallies.add(poisoned, tallyId, poison.amount);
    await tallies.add(well, randomUUID(), 2);
    await eventually(async () => (await Promise.all([poisoned, well].map(tallies.parked))).flat(), []);
    poison.active = true;
    await database.query("update projection_version set version = 1 where projection = 'tallies'");
    const next = await startPlatform(database, {}, NextTallyModule);
    const parkedAt = async () =>
      (await tallies.parked(poisoned)).map(({ parked_error, position }) => [!!parked_error, position]);
    await eventually(parkedAt, [[true, 1]]);
    await eventually(() => tallies.total('tallies', well), 20);
    expect(await tallies.total('tallies', poisoned)).toBe(10 * poison.amount);
    poison.active = false;
    await eventually(async () => {
      await next.get(ProjectionBuilds).resumeAll();
      return tallies.parked(poisoned);
    }, []);
    expect(await tallies.total('tallies', poisoned)).toBe(10 * poison.amount);
  });
});
