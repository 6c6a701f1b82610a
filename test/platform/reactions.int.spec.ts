import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { type INestApplication, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import type { Feature } from '../../backend/platform/features.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import { Metrics } from '../../backend/platform/ops/metrics.js';
import { ReadYourWrites } from '../../backend/platform/http/read-your-writes.js';
import { ProjectionBuilds } from '../../backend/platform/projections/projection-builds.js';
import {
  defineReaction,
  type Occasion,
  Reactions,
} from '../../backend/platform/reactions/define-reaction.js';
import { ReactionRunner } from '../../backend/platform/reactions/reaction-runner.js';
import { atEnd } from '../support/cleanup.js';
import { connect, createDatabase, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, configFor, contextOf, forgetTally, openTenant, startPlatform } from './platform.js';
import { AddToTally, createTallyTables, type TallyEvent, TallyModule } from './tally.js';

const tallied = defineReaction({ name: 'test-tallied', events: ['Tallied'] satisfies TallyEvent['type'][] });

const seen: Pick<Occasion, 'id' | 'event'>[] = [];
const committed: string[] = [];
let failures = 0;

@Injectable()
class Handler implements OnModuleInit {
  constructor(private readonly reactions: Reactions) {}

  onModuleInit(): void {
    this.reactions.handle(tallied, async ({ id, event, query }) => {
      seen.push({ id, event });
      await query('insert into mails (id, tenant_id, kind, subject_id) values ($1, $2, $3, $1)', [
        id,
        event.tenantId,
        'test.tallied',
      ]);
      if (failures > 0) {
        failures -= 1;
        throw new Error('not yet');
      }
      return () => committed.push(id);
    });
  }
}

@Module({ providers: [Handler] })
class ReactingModule {
  static readonly feature: Feature = { reactions: [tallied] };
}

async function start(on = database): Promise<INestApplication> {
  const app = await createApp({ modules: [TallyModule, ReactingModule], config: configFor(on) });
  await app.init();
  atEnd(() => app.close());
  return app;
}

const database = await testDatabase();
await createTallyTables(database);
const apps = [await start(), await start()];

beforeEach(() => {
  failures = 0;
  seen.length = 0;
  committed.length = 0;
});

const add = (tenantId: string, amount: number, app = apps[0]!) =>
  addToTally(app, new AddToTally(contextOf(tenantId), randomUUID(), amount, `nota ${amount}`));
const mails = async (tenantId: string) =>
  (await database.query('select from mails where tenant_id = $1', [tenantId])).length;
const isSeen = async (tenantId: string) =>
  (
    await database.query(
      `select from tenant_log l join reaction_checkpoint r using (tenant_id, position) where l.tenant_id = $1`,
      [tenantId],
    )
  ).length > 0;
const isSwept = async (tenantId: string) =>
  (
    await database.query(
      `select from tenant_log l join reaction_sweep s using (tenant_id, position) where l.tenant_id = $1`,
      [tenantId],
    )
  ).length > 0;
const amounts = () => seen.map(({ event }) => event.data.amount);

it('a worker in which a reaction has no handler does not start', async () => {
  class SilentModule {
    static readonly feature: Feature = { reactions: [tallied] };
  }
  Module({})(SilentModule);
  const app = await createApp({ modules: [TallyModule, SilentModule], config: configFor(database) });
  atEnd(() => app.close());
  await expect(app.init()).rejects.toThrow('the reaction test-tallied has no handler');
});

it('sees each event once and in order, in clear, however many workers there are', async () => {
  const tenantId = await openTenant(apps[0]!);
  for (let amount = 1; amount <= 20; amount += 1) await add(tenantId, amount);
  await eventually(() => Promise.resolve(committed.length), 20);
  expect(amounts()).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(seen[0]!.event.data.note).toBe('nota 1');
  expect(committed).toEqual(seen.map(({ id }) => id));
  expect(new Set(committed).size).toBe(20);
  expect(await mails(tenantId)).toBe(20);
  await eventually(() => isSeen(tenantId), true);
});

it('sees an event again after a failure, under the same id, and without its writes of the failed attempt', async () => {
  const tenantId = await openTenant(apps[0]!);
  failures = 2;
  await add(tenantId, 7);
  await eventually(() => Promise.resolve(committed.length), 1);
  expect(amounts()).toEqual([7, 7, 7]);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
  expect(await mails(tenantId)).toBe(1);
});

it('a job whose reaction another worker holds is put off, and does not count as failed', async () => {
  const tenantId = await openTenant(apps[0]!);
  const holder = await connect(database.environment.DATABASE_OWNER_URL);
  await holder.query('select pg_advisory_lock(7263004, hashtext($1))', [`test-tallied/${tenantId}`]);
  await add(tenantId, 1);
  const counted = async (counter: 'jobsPutOff' | 'trappedErrors') => {
    const counts = apps.map(async (app) => (await app.get(Metrics)[counter].get()).values);
    const own = (await Promise.all(counts)).flat();
    return own.filter(({ labels }) => ['reactions', 'job'].includes(String(Object.values(labels)[0]))).length;
  };
  const before = await counted('trappedErrors');
  await eventually(async () => (await counted('jobsPutOff')) > 0, true);
  expect(amounts()).toEqual([]);
  await holder.query('select pg_advisory_unlock_all()');
  await eventually(() => Promise.resolve(committed.length), 1);
  expect(await counted('trappedErrors')).toBe(before);
});

it('finds events whose job was lost, and skips event types that it does not follow', async () => {
  const tenantId = await openTenant(apps[0]!);
  await add(tenantId, 1);
  await eventually(() => Promise.resolve(committed.length), 1);
  await eventually(() => isSwept(tenantId), true);
  await database.query('update reaction_checkpoint set position = 0 where tenant_id = $1', [tenantId]);
  await database.query('update reaction_sweep set position = 0 where tenant_id = $1', [tenantId]);
  await database.query('delete from mails where tenant_id = $1', [tenantId]);
  await eventually(() => Promise.resolve(committed.length), 2);
  await forgetTally(apps[0]!, tenantId, randomUUID());
  await eventually(() => isSeen(tenantId), true);
  expect(committed).toHaveLength(2);
});

it('a sweep does not count a tenant as done whose reaction has failed', async () => {
  const tenantId = await openTenant(apps[0]!);
  const sweep = () => apps[0]!.get(ReactionRunner)['runDue']().catch(String);
  failures = Infinity;
  await add(tenantId, 1);
  await eventually(sweep, 'Error: not yet');
  expect(await isSwept(tenantId)).toBe(false);
  failures = 0;
  await eventually(sweep, undefined);
  await eventually(() => isSwept(tenantId), true);
  expect(await mails(tenantId)).toBe(1);
});

it('sees nothing in a rebuild, nor what was recorded before it existed', async () => {
  const own = await createDatabase();
  await createTallyTables(own);
  const before = await startPlatform(own);
  const tenantId = await openTenant(before);
  const { position } = await add(tenantId, 1, before);
  await eventually(() => before.get(ReadYourWrites).wait(tenantId, position), true);

  // Workers of both releases project until the older one ends; jobs for reactions that the older one does not know do nothing.
  const next = await start(own);
  await add(tenantId, 2, next);
  await before.close();
  await eventually(() => Promise.resolve(committed.length), 1);
  await next.get(ProjectionBuilds).rebuild('tallies');
  await add(tenantId, 3, next);
  await eventually(() => Promise.resolve(committed.length), 2);
  expect(amounts()).toEqual([2, 3]);
});
