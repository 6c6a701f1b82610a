import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import type pg from 'pg';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { GuardBuilds } from '../../backend/platform/event-store/guard-builds.js';
import { Readiness } from '../../backend/platform/ops/readiness.js';
import { createDatabase, connect, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, contextOf, openTenant, startPlatform } from './platform.js';
import { AddToTally, CappedTallyModule, createTallyTables, poison, tallied, tally } from './tally.js';

const API = { RENDE_ROLES: 'api' };

let database: TestDatabase;
let before: INestApplication;

beforeEach(async () => {
  database = await createDatabase();
  await createTallyTables(database);
  before = await startPlatform(database, API);
});

afterEach(() => {
  poison.active = false;
});

const add = (app: INestApplication, tenantId: string, tallyId: string, amount: number) =>
  addToTally(app, new AddToTally(contextOf(tenantId), tallyId, amount));

const caps = (tenantId: string) =>
  database.query<{ total: number; xmin: string }>(
    'select total::int, xmin::text from tally_caps where tenant_id = $1 order by id',
    [tenantId],
  );

const sets = () => database.query<{ guards: string }>('select distinct guards from tenant_log order by 1');

/** Sends a query like a worker. */
const ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> =>
  database.query<Row>(text, values);

/** The next release, without a worker: guards are built only for commands. */
const next = () => startPlatform(database, API, CappedTallyModule);

const BUILT = { guards: 'tally-cap 1, tally-limit 1' };

describe('a guard that a release adds', () => {
  it('refuses at once what contradicts old events, on another process too', async () => {
    const [tenantId, tallyId] = [await openTenant(before), randomUUID()];
    await add(before, tenantId, tallyId, 60);
    await add(before, tenantId, tallyId, 30);
    const [one, other] = [await next(), await next()];
    await expect(add(one, tenantId, tallyId, 20)).rejects.toMatchObject({ code: 'tally.above_cap' });
    expect((await add(other, tenantId, tallyId, 10)).answer.sum).toBe(100);
    await expect(add(one, tenantId, tallyId, 1)).rejects.toMatchObject({ code: 'tally.above_cap' });
    await expect(add(other, tenantId, tallyId, 1)).rejects.toMatchObject({ code: 'tally.above_cap' });
    expect(await caps(tenantId)).toMatchObject([{ total: 100 }]);
    expect(await sets()).toEqual([BUILT]);
  });

  it('is built again after a process of the previous release has written', async () => {
    const [tenantId, tallyId] = [await openTenant(before), randomUUID()];
    const after = await next();
    await add(after, tenantId, tallyId, 50);
    await add(before, tenantId, tallyId, 40);
    await expect(add(after, tenantId, tallyId, 20)).rejects.toMatchObject({ code: 'tally.above_cap' });
    expect((await add(after, tenantId, tallyId, 10)).answer.sum).toBe(100);
  });

  it('is built again if the previous release has written after the worker had built it', async () => {
    const [tenantId, tallyId] = [await openTenant(before), randomUUID()];
    await add(before, tenantId, tallyId, 50);
    const after = await next();
    await after.get(GuardBuilds).buildAll(ask);
    expect(await sets()).toEqual([BUILT]);
    await add(before, tenantId, tallyId, 40);
    await expect(add(after, tenantId, tallyId, 20)).rejects.toMatchObject({ code: 'tally.above_cap' });
  });

  it('is built for every tenant by the worker, and named by readiness until then', async () => {
    const tenants = [await openTenant(before), await openTenant(before), await openTenant(before)];
    for (const tenantId of tenants) await add(before, tenantId, randomUUID(), 70);
    const waiting = await next();
    const named = async () => Object.keys((await waiting.get(Readiness).look()).checks);
    await waiting.listen(0);
    expect(await named()).toContain('guard tally-cap');
    await startPlatform(database, {}, CappedTallyModule);
    await eventually(sets, [BUILT]);
    for (const tenantId of tenants) expect(await caps(tenantId)).toMatchObject([{ total: 70 }]);
    expect(await named()).not.toContain('guard tally-cap');
  });

  it('is built in one go for tenants without its events, and one by one for those with events or rows', async () => {
    const idle = await Promise.all(Array.from({ length: 30 }, () => openTenant(before)));
    const [busy, left, held] = [await openTenant(before), await openTenant(before), await openTenant(before)];
    await add(before, busy, randomUUID(), 70);
    await database.query('insert into tally_caps (tenant_id, id, total) values ($1, $1, 50)', [left]);
    const holder = await connect(database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query('select from tenant_log where tenant_id = $1 for update', [held]);
    const builds = (await next()).get(GuardBuilds);
    const alone: string[] = [];
    const build = builds.build.bind(builds);
    builds.build = (tenantId) => {
      alone.push(tenantId);
      return build(tenantId);
    };
    const building = builds.buildAll(ask);
    await eventually(() => Promise.resolve(alone.includes(held)), true);
    await holder.query('rollback');
    await building;

    expect(alone.toSorted()).toEqual([busy, left, held].sort());
    expect(await sets()).toEqual([BUILT]);
    expect(await caps(busy)).toMatchObject([{ total: 70 }]);
    expect(await caps(left)).toEqual([]);
    for (const tenantId of idle) expect(await caps(tenantId)).toEqual([]);
  });

  it('continues where the build was killed, and skips a tenant for which it cannot be built', async () => {
    const tenants = [await openTenant(before), await openTenant(before), await openTenant(before)].sort();
    for (const tenantId of tenants) await add(before, tenantId, randomUUID(), 70);
    const [first, second, third] = tenants as [string, string, string];
    const builds = (await next()).get(GuardBuilds);
    const holder = await connect(database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query('select from tenant_log where tenant_id = $1 for update', [second]);
    const killed = expect(builds.buildAll(ask)).rejects.toThrow();
    await eventually(async () => {
      const waiting = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%from tenant_log%'`,
      );
      return waiting.length;
    }, 1);
    await killed;
    await holder.query('rollback');
    const built = await caps(first);
    expect([built.length, (await caps(second)).length, (await caps(third)).length]).toEqual([1, 0, 0]);

    await add(before, second, randomUUID(), poison.amount);
    poison.active = true;
    await builds.buildAll(ask);
    expect(await caps(first)).toEqual(built);
    expect(await caps(second)).toEqual([]);
    expect(await caps(third)).toMatchObject([{ total: 70 }]);
  });
});

describe('a fold that a release changes', () => {
  it('is read from the events at first, and then from the snapshot that the first command made', async () => {
    const [tenantId, tallyId] = [await openTenant(before), randomUUID()];
    const sumBy = async (fold: number) => {
      const aggregate: typeof tally = {
        ...tally,
        fold,
        evolve: (state, event) => ({ ...tally.evolve(state, event), note: null }),
      };
      const store = before.get(EventStore);
      // The processes of a release remember nothing of another one.
      store.memory.forget(tenantId);
      const { answer } = await store.transact({ context: contextOf(tenantId) }, async (tx) => {
        await tx.load(aggregate, tallyId);
        tx.append(aggregate, tallyId, [tallied(new AddToTally(tx.context, tallyId, 1))]);
        return { sum: (await tx.load(aggregate, tallyId)).sum };
      });
      return answer.sum;
    };
    const taken = () =>
      database.query('select fold, version, state from snapshots where tenant_id = $1', [tenantId]);
    for (let n = 0; n < 12; n += 1) await add(before, tenantId, tallyId, 1);
    expect(await taken()).toEqual([]);
    expect(await sumBy(1)).toBe(13);
    expect(await taken()).toEqual([{ fold: 1, version: 13, state: { sum: 13, note: null } }]);
    await database.query(`update snapshots set state = '{"sum": 100}' where tenant_id = $1`, [tenantId]);
    expect(await sumBy(1)).toBe(101);
    expect(await sumBy(2)).toBe(15);
    const newer = [{ fold: 2, version: 15, state: { sum: 15, note: null } }];
    expect(await taken()).toEqual(newer);
    expect(await sumBy(1)).toBe(16);
    expect(await taken()).toEqual(newer);
  });
});
