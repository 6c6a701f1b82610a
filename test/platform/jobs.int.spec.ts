import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type INestApplication,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import type pg from 'pg';
import { z } from 'zod';
import type { Feature } from '../../backend/platform/features.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import {
  defineJob,
  type JobDefinition,
  type JobRun,
  PutOff,
  QUEUES,
} from '../../backend/platform/jobs/define-job.js';
import { Queues } from '../../backend/platform/jobs/queues.js';
import { Metrics } from '../../backend/platform/ops/metrics.js';
import { OpsServer } from '../../backend/platform/ops/ops-server.js';
import { atEnd } from '../support/cleanup.js';
import { createDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis } from '../support/needs.js';
import { redis } from '../support/redis.js';
import { configFor } from './platform.js';
import { ProbeModule } from './probe.js';

const payload = z.strictObject({ id: z.uuid() });
const fragile = defineJob({ name: 'fragile', queue: 'mail', payload, attempts: 2, backoffMs: 1 });
const frequent = defineJob({ name: 'frequent', schedule: { everyMs: 200 } });
const rare = defineJob({ name: 'rare', schedule: { cron: '0 3 1 1 *', timeZone: 'America/Sao_Paulo' } });
const patient = defineJob({ name: 'patient', queue: 'mail', payload, attempts: 2, backoffMs: 1 });
const slow = defineJob({ name: 'slow', schedule: { everyMs: 100 } });
const tidy = defineJob({ name: 'tidy', schedule: { everyMs: 200 } });
const untidy = defineJob({ name: 'untidy', queue: 'mail', payload, attempts: 1, sweptBy: tidy });
const JOBS: readonly JobDefinition[] = [fragile, patient, frequent, rare, slow, tidy, untidy];

const handled: { job: string; payload: unknown; run: JobRun; by: Handlers }[] = [];
let isBroken = false;
let isUntidy = false;
/** While there is one, runs of the job `slow` wait for it. */
let slowEnd: Promise<void> | undefined;
/** How often the job `patient` still has to wait. */
let waits = 0;

@Injectable()
class Handlers implements OnModuleInit {
  constructor(private readonly queues: Queues) {}

  onModuleInit(): void {
    for (const job of JOBS)
      this.queues.handle(job, (given, run) => {
        handled.push({ job: job.name, payload: given, run, by: this });
        if (job === patient && waits > 0) {
          waits -= 1;
          return Promise.reject(new PutOff('not yet'));
        }
        if (job === slow && slowEnd) return slowEnd;
        if (isUntidy && (job === tidy || job === untidy)) return Promise.reject(new Error('untidy'));
        return isBroken && job === fragile ? Promise.reject(new Error('broken <b>')) : Promise.resolve();
      });
  }
}

@Module({ providers: [Handlers] })
class JobsModule {
  static readonly feature: Feature = { jobs: JOBS };
}

const runsOf = ({ name }: JobDefinition) => handled.filter(({ job }) => job === name);
const idsOf = (job: JobDefinition) => runsOf(job).map(({ run }) => run.id);
const schedulesOf = (app: INestApplication | undefined) => app!.get(Queues)['queue']('schedules');
/** The states of a scheduled job's next runs. */
const nextOf = async ({ name }: JobDefinition, app = apps[0]) => {
  const queue = schedulesOf(app);
  const jobs = (await queue.getJobs(['delayed', 'waiting', 'active'])).filter(
    (each) => each.repeatJobKey === name,
  );
  return Promise.all(jobs.map((each) => each.getState()));
};

beforeEach(() => {
  isBroken = false;
  handled.length = 0;
});

it.each<[string, Type, string]>([
  [
    'has no handler',
    class OrphanModule {
      static readonly feature: Feature = { jobs: [fragile] };
    },
    'the job fragile has no handler',
  ],
  [
    'has the name of another one',
    class TwinModule {
      static readonly feature: Feature = { jobs: [fragile, fragile] };
    },
    'two jobs are called fragile',
  ],
])('a worker in which a job %s does not start', async (_what, module, message) => {
  Module({})(module);
  const app = await createApp({ modules: [ProbeModule, module], config: configFor(await testDatabase()) });
  atEnd(() => app.close());
  await expect(app.init()).rejects.toThrow(message);
});

it('a worker takes no job before every module is set up', async () => {
  const workersOf = (queues: Queues) => queues['workers'].length;
  let meanwhile: number | undefined;
  @Module({})
  class LastModule implements OnApplicationBootstrap {
    constructor(private readonly queues: Queues) {}

    onApplicationBootstrap(): void {
      meanwhile = workersOf(this.queues);
    }
  }
  const modules = [ProbeModule, JobsModule, LastModule];
  const app = await createApp({ modules, config: configFor(await testDatabase()) });
  await app.init();
  const afterwards = workersOf(app.get(Queues));
  // It would take the jobs of the tests below.
  await app.close();
  expect(meanwhile).toBe(0);
  expect(afterwards).toBe(Object.keys(QUEUES).length);
});

let database: TestDatabase;
let apps: INestApplication[];

function behaves(redisUrl: () => string | undefined): void {
  const start = async (roles = 'worker') => {
    const url = redisUrl();
    const config = configFor(database, { RENDE_ROLES: roles, ...(url ? { REDIS_URL: url } : {}) });
    const app = await createApp({ modules: [ProbeModule, JobsModule], config });
    await app.init();
    return app;
  };

  beforeAll(async () => {
    database = await testDatabase();
    apps = [await start(), await start()];
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
  });

  it('a payload of another shape is refused when the job is added', async () => {
    await expect(apps[0]!.get(Queues).add(fragile, { id: 'no id' })).rejects.toThrow(/uuid/i);
  });

  it('a scheduled job runs once for each time, however many workers there are', async () => {
    await Promise.all(apps.map((app) => app.get(Queues).schedule()));
    await eventually(() => Promise.resolve(idsOf(frequent).length >= 10), true);
    const ids = idsOf(frequent);
    expect(new Set(ids).size).toBe(ids.length);
    const times = runsOf(frequent).map(({ run }) => run.dueAt.getTime());
    expect(new Set(times.map((time) => time % 200)).size).toBe(1);
  });

  it('a run that became due without workers is made up for once', async () => {
    await apps[0]!.get(Queues).schedule();
    for (const app of apps.splice(0)) await app.close();
    const idle = await start('api');
    const queues = idle.get(Queues);
    const queue = schedulesOf(idle);
    const { next } = (await queue.getJobScheduler(rare.name))!;
    const job = await queue.getJob(`repeat:${rare.name}:${next!}`);
    expect(handled.some(({ job: name }) => name === rare.name)).toBe(false);
    // Make the job due, as if its time had come without a running worker. Writing the schedules again must not move it.
    await job!.changeDelay(0);
    await queues.schedule();
    apps.push(await start(), idle);

    await eventually(() => Promise.resolve(runsOf(rare).length), 1);
    expect(runsOf(rare)[0]!.run.dueAt.getTime()).toBe(next);
    // The next job is already there.
    await eventually(() => nextOf(rare), ['delayed']);
    expect((await queue.getFailed()).map(({ name, failedReason }) => [name, failedReason])).toEqual([]);
    expect(runsOf(rare)).toHaveLength(1);
  });

  it('a schedule that several workers write at once is written once', async () => {
    const all = apps.map((app) => app.get(Queues));
    const queue = schedulesOf(apps[0]);
    for (let turn = 0; turn < 20; turn += 1) {
      await queue.removeJobScheduler(rare.name);
      const writing = [...all, ...all].map((each) => each['scheduleOne'](rare, rare.schedule!));
      const written = await Promise.allSettled(writing);
      expect(written.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect(await nextOf(rare)).toEqual(['delayed']);
    }
  });

  it('a schedule whose job was lost is written again', async () => {
    const queues = apps[0]!.get(Queues);
    await queues.schedule();
    const queue = schedulesOf(apps[0]);
    // A worker's sweep may write the schedule again at once.
    expect(await queue.removeJobScheduler(rare.name)).toBe(true);
    // Twice, because the first call may join a sweep that has already passed this schedule.
    await queues.schedule();
    await queues.schedule();
    expect(await nextOf(rare)).toEqual(['delayed']);
  });

  it('a schedule that only another version knows is removed at the start', async () => {
    await schedulesOf(apps[0]).upsertJobScheduler(
      'of another version',
      { pattern: '0 3 1 1 *' },
      { name: 'gone' },
    );
    const other = await start();
    apps.push(other);
    await other.get(Queues).schedule();
    expect(await schedulesOf(other).getJobScheduler('of another version')).toBeUndefined();
  });

  it('a scheduled job does not run a second time in a process that is still running it', async () => {
    let end = () => {};
    slowEnd = new Promise((resolve) => (end = resolve));
    await eventually(() => Promise.resolve(runsOf(slow).length > 0), true);
    const before = runsOf(frequent).length;
    // Its schedule goes on meanwhile, and each process may run it once.
    await eventually(() => Promise.resolve(runsOf(frequent).length > before + 10), true);
    const held = runsOf(slow).map(({ by }) => by);
    expect(new Set(held).size).toBe(held.length);
    handled.length = 0;
    slowEnd = undefined;
    end();
    await eventually(() => Promise.resolve(runsOf(slow).length > 0), true);
  });

  it('a job that is put off runs again until it need not wait, and does not count as failed', async () => {
    const id = randomUUID();
    waits = 5;
    await apps[0]!.get(Queues).add(patient, { id });
    await eventually(() => Promise.resolve(runsOf(patient).length), 6);
    const counted = async (counter: 'jobsPutOff' | 'jobsFailed') => {
      const counts = apps.map(async (app) => (await app.get(Metrics)[counter].get()).values);
      const own = (await Promise.all(counts)).flat().filter(({ labels }) => labels.job === 'patient');
      return own.reduce((sum, { value }) => sum + value, 0);
    };
    expect([await counted('jobsPutOff'), await counted('jobsFailed')]).toEqual([5, 0]);
    const queue = apps[0]!.get(Queues)['queue'](patient.queue);
    await eventually(async () => (await queue.getJobCounts('active', 'delayed', 'failed')) as object, {
      active: 0,
      delayed: 0,
      failed: 0,
    });
  });

  it('operators see failed jobs on a page and can retry them only from there', async () => {
    const [app] = apps;
    const id = randomUUID();
    const jobId = randomUUID();
    const host = `127.0.0.1:${app!.get(OpsServer).port}`;
    const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const asked = request(`http://${host}${path}`, { method, headers }, (answer) => {
          let body = '';
          answer.on('data', (text) => (body += String(text)));
          answer.on('end', () => resolve({ status: answer.statusCode!, body }));
        });
        asked.on('error', reject).end();
      });
    const page = async () => (await ask('GET', '/dev/jobs')).body;
    isBroken = true;

    await app!.get(Queues).add(fragile, { id }, jobId);
    await eventually(async () => (await page()).includes('broken &lt;b&gt;'), true);
    expect(runsOf(fragile).map((each) => each.payload)).toEqual([{ id }, { id }]);
    expect(idsOf(fragile)).toEqual([jobId, jobId]);
    expect(await page()).not.toContain('<b>');
    expect(await page()).not.toContain(id);
    // The page may show a failure before the worker has counted it.
    const failures = () =>
      Promise.all(apps.map(async (each) => (await each.get(Metrics).jobsFailed.get()).values));
    await eventually(
      async () => (await failures()).flat().map(({ labels, value }) => [labels.job, value]),
      [['fragile', 1]],
    );
    const isTrapped = async () => {
      const errors = apps.map(async (each) => (await each.get(Metrics).trappedErrors.get()).values);
      return (await Promise.all(errors)).flat().some(({ labels }) => labels.place === 'job');
    };
    expect(await isTrapped()).toBe(true);

    isBroken = false;
    const retry = `/dev/jobs/retry?queue=mail&id=${jobId}`;
    expect(await page()).toContain(`action="${retry.replace('&', '&amp;')}"`);
    const own = { Origin: `http://${host}` };
    expect((await ask('POST', retry)).status).toBe(403);
    expect((await ask('POST', retry, { Origin: 'http://elsewhere.example' })).status).toBe(403);
    const renamed = { Host: 'elsewhere.example', Origin: 'http://elsewhere.example' };
    expect((await ask('POST', retry, renamed)).status).toBe(404);
    expect((await ask('GET', '/dev/jobs', renamed)).status).toBe(404);
    expect((await ask('POST', '/dev/jobs/retry?queue=mail&id=another', own)).status).toBe(404);
    expect(runsOf(fragile)).toHaveLength(2);

    expect((await ask('POST', retry, own)).status).toBe(303);
    // The job may disappear from the failed ones before a worker takes it.
    await eventually(
      () => Promise.resolve(runsOf(fragile).map((each) => each.payload)),
      [{ id }, { id }, { id }],
    );
    await eventually(async () => (await page()).includes('Nenhuma.'), true);
  });

  it('failed jobs are gone once a later run of their sweep has succeeded', async () => {
    const queues = apps[0]!.get(Queues);
    const isOwn = (kind: string) => kind === tidy.name || kind === untidy.name;
    const failed = async () => {
      const states = await queues.look();
      const kinds = states.flatMap(({ failed: jobs }) => jobs.map(({ kind }) => kind)).filter(isOwn);
      return [...new Set(kinds)].toSorted();
    };
    isUntidy = true;
    await queues.add(untidy, { id: randomUUID() });
    await eventually(failed, ['tidy', 'untidy']);
    isUntidy = false;
    await eventually(failed, []);
  });
}

describe('over Postgres', () => {
  behaves(() => undefined);

  it('all workers of a process listen on one connection, and on another one where that ends', async () => {
    const listening = async () =>
      (
        await database.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and query like '%LISTEN bullmq_jobs%'
           and pid <> pg_backend_pid()`,
        )
      ).map(({ pid }) => pid);
    const others = await listening();
    const app = await createApp({ modules: [ProbeModule, JobsModule], config: configFor(database) });
    await app.init();
    apps.push(app);
    await eventually(async () => (await listening()).length, others.length + 1);
    const before = await listening();
    await database.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [before]);
    await eventually(
      async () => (await listening()).filter((pid) => !before.includes(pid)).length,
      before.length,
    );
    const id = randomUUID();
    await apps[0]!.get(Queues).add(fragile, { id });
    await eventually(() => Promise.resolve(runsOf(fragile).map((each) => each.payload)), [{ id }]);
  });

  it('a job that comes alone costs three statements, and leaves nothing behind', async () => {
    const own = await createDatabase();
    const app = await createApp({ modules: [ProbeModule, JobsModule], config: configFor(own) });
    await app.init();
    apps.push(app);
    const queues = app.get(Queues);
    const jobs = async () => (await own.query(`select from bullmq.job where queue = 'mail'`)).length;
    const handle = async (id: string) => {
      await queues.add(fragile, { id });
      const isHandled = () =>
        runsOf(fragile).some(({ payload: given }) => (given as { id: string }).id === id);
      await eventually(() => Promise.resolve(isHandled()), true);
      await eventually(jobs, 0);
    };
    await handle(randomUUID());
    const pool = queues['pool']!;
    const asked: unknown[] = [];
    const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
    pool.query = ((given: unknown, values?: unknown[]) => {
      const all = values ?? (given as pg.QueryConfig).values;
      if (all?.[0] === 'mail') asked.push(given);
      return query(given, values);
    }) as typeof pool.query;
    for (let n = 1; n <= 5; n += 1) await handle(randomUUID());
    // Besides, an idle worker asks every five seconds, and where Postgres announces a job again.
    expect(asked.length).toBeLessThan(25);
    expect(await own.query('select from bullmq.event')).toEqual([]);
  });
});

describeWithRedis('over Redis', () => {
  let url: string;
  beforeAll(async () => ({ url } = await redis()));
  behaves(() => url);
});
