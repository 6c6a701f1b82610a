import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  createPostgresBackend,
  createRedisBackend,
  DelayedError,
  type Job,
  type JobSchedulerJson,
  type Queue,
  withBackend,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Config } from '../config/env.js';
import { FeatureRegistry } from '../features.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { describeError } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { Readiness } from '../ops/readiness.js';
import { type JobDefinition, type JobRun, PutOff, type Schedule } from './define-job.js';
import { SharedListening } from './shared-listening.js';

const CLOSE_BOUND_MS = 5_000;
/** Number of failed jobs that a queue stores, and number of those that operators are shown. */
const FAILED_KEPT = 1_000;
const FAILED_SHOWN = 50;
/** A job that has to wait for the 200th time counts as failed. */
const MAX_STARTS = 200;
/** Connections to Postgres, besides the one on which workers listen. */
const CONNECTIONS = 6;
/** A scheduled job in one of these states will run; in any other the schedule has to be written again. */
const PENDING: readonly string[] = ['delayed', 'waiting', 'active'];

const POSTGRES = withBackend(createPostgresBackend);
const REDIS = withBackend(createRedisBackend);

type Closable = { close(): Promise<unknown> };
type Handler = (payload: unknown, run: JobRun) => Promise<void>;

/** The state of a queue, for operators. */
export interface QueueState {
  name: string;
  counts: Record<string, number>;
  failed: { id: string; reason: string; attempts: number; failedAt: Date }[];
}

/**
 * BullMQ on Redis where REDIS_URL is set, on Postgres otherwise, behind one interface. Adding a job
 * fails fast while the backend is down. In the worker role every job has a handler, or the process does not start.
 */
@Injectable()
export class Queues implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(Queues.name);
  private readonly queues = new Map<string, Queue>();
  private readonly workers: Closable[] = [];
  private readonly handlers = new Map<string, Handler>();
  private readonly connections: Redis[] = [];
  private pool: pg.Pool | undefined;
  private listening: SharedListening | undefined;
  private addRedis: Redis | undefined;
  private workRedis: Redis | undefined;
  private scheduling: Promise<void> | undefined;
  private isScheduled = false;

  constructor(
    private readonly config: Config,
    private readonly trap: ErrorTrap,
    private readonly features: FeatureRegistry,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  /** Registers the handler of a kind of job, in `onModuleInit`. */
  handle<Payload>(
    job: JobDefinition<Payload>,
    handler: (payload: Payload, run: JobRun) => Promise<void>,
  ): void {
    this.handlers.set(job.name, (payload, run) => handler(job.payload.parse(payload), run));
  }

  /** @throws where the backend is down */
  async add<Payload>(
    job: JobDefinition<Payload>,
    payload: Payload,
    jobId: string = randomUUID(),
  ): Promise<void> {
    // Postgres' backend needs a job id: without one it would create a sequence, which no role is allowed to do.
    await this.queue(job.name).add(job.name, job.payload.parse(payload), { jobId, ...optionsOf(job) });
  }

  onApplicationBootstrap(): void {
    const { jobs } = this.features.all;
    for (const { name } of jobs) this.open(name);
    this.readiness.register('queue', () => this.count(), { vital: false });
  }

  /** Begins to handle jobs. Called once everything is set up, because handlers execute commands of any module. */
  startWorkers(): void {
    if (this.config.roles.has('worker')) for (const job of this.features.all.jobs) this.work(job);
  }

  /**
   * Writes schedules that are missing, such as at the first start and after Redis lost its data. The first call of a
   * process also replaces those that differ from the code. Workers call it repeatedly.
   */
  schedule(): Promise<void> {
    this.scheduling ??= this.scheduleAll().finally(() => (this.scheduling = undefined));
    return this.scheduling;
  }

  /** Every queue, with its newest failed jobs. */
  async look(): Promise<QueueState[]> {
    return Promise.all(
      [...this.queues].map(async ([name, queue]) => {
        const [counts, failed] = await Promise.all([
          queue.getJobCounts(),
          queue.getFailed(0, FAILED_SHOWN - 1),
        ]);
        return {
          name,
          counts,
          failed: failed.map(({ id, failedReason, attemptsMade, finishedOn }) => ({
            id: id!,
            reason: failedReason,
            attempts: attemptsMade,
            failedAt: new Date(finishedOn!),
          })),
        };
      }),
    );
  }

  /**
   * Removes failed jobs of these kinds that failed before this time, because everything that they left was done since.
   * Not awaited, because a backend that does not answer would block the caller.
   */
  forgetFailures(jobs: readonly Pick<JobDefinition, 'name'>[], before: number): void {
    for (const { name } of jobs)
      this.queue(name)
        .clean(Date.now() - before, 0, 'failed')
        .catch(this.logsOutage(name));
  }

  /** Retries a failed job; false if it does not exist or has not failed. */
  async retry(name: string, jobId: string): Promise<boolean> {
    const job = await this.queues.get(name)?.getJob(jobId);
    if (!job || !(await job.isFailed())) return false;
    await job.retry('failed');
    return true;
  }

  /** Workers are closed first, because running jobs still use pools and connections. */
  async beforeApplicationShutdown(): Promise<void> {
    await close(this.workers);
  }

  async onApplicationShutdown(): Promise<void> {
    await close([...this.queues.values()]);
    for (const redis of this.connections) redis.disconnect();
    await Promise.race([this.pool?.end(), delay(CLOSE_BOUND_MS, undefined, { ref: false })]);
  }

  private queue(name: string): Queue {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`no module lists the job ${name}`);
    return queue;
  }

  private open(name: string): void {
    if (this.queues.has(name)) throw new Error(`two jobs are called ${name}`);
    const { redisUrl } = this.config;
    const queue = redisUrl
      ? new REDIS.Queue(name, { connection: (this.addRedis ??= this.redis(redisUrl, FAILS_FAST)) })
      : new POSTGRES.Queue(name, { connection: this.postgres() });
    queue.on('error', this.logsOutage(name));
    this.queues.set(name, queue as Queue);
  }

  /** Handles jobs until shutdown, which waits for the running ones. */
  private work(definition: JobDefinition): void {
    const { name, concurrency } = definition;
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`the job ${name} has no handler`);
    const { redisUrl } = this.config;
    const options = {
      concurrency,
      maxStalledCount: 5,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: FAILED_KEPT },
    };
    // A scheduled job finds by itself what is due, and so what an earlier run of it left.
    const swept = this.features.all.jobs.filter(
      (job) => job.sweptBy === definition || (job === definition && job.schedule),
    );
    const handle = async (job: Job, token?: string) => {
      const began = Date.now();
      try {
        await handler(job.data, runOf(job));
        if (swept.length > 0) this.forgetFailures(swept, began);
      } catch (error) {
        if (!(error instanceof PutOff) || job.attemptsStarted > MAX_STARTS) throw error;
        this.metrics.jobsPutOff.inc({ queue: name });
        await job.moveToDelayed(Date.now() + definition.backoffMs, token);
        throw new DelayedError();
      }
    };
    const worker = redisUrl
      ? new REDIS.Worker(name, handle, {
          ...options,
          connection: (this.workRedis ??= this.redis(redisUrl, WAITS)),
        })
      : new POSTGRES.Worker(name, handle, {
          ...options,
          connection: (this.listening ??= new SharedListening(this.postgres())).asPool(),
        });
    worker.on('error', this.logsOutage(name));
    // BullMQ has caught the error and will retry the job.
    worker.on('failed', (job, error) => {
      this.trap.trapped('job', error);
      if (!job || job.attemptsMade >= (job.opts.attempts ?? 1)) this.metrics.jobsFailed.inc({ queue: name });
    });
    this.workers.push(worker);
  }

  private async scheduleAll(): Promise<void> {
    try {
      for (const job of this.features.all.jobs)
        if (job.schedule) await this.scheduleOne(job, job.schedule, !this.isScheduled);
      this.isScheduled = true;
    } catch (error) {
      this.logger.warn({ msg: 'schedules not written, trying again', err: describeError(error) });
    }
  }

  /** An unchanged schedule is not written again, because that would drop an overdue run. */
  private async scheduleOne(
    job: JobDefinition,
    schedule: Schedule,
    evenOther: boolean,
    isRetry = false,
  ): Promise<void> {
    const queue = this.queue(job.name);
    const stored = await queue.getJobScheduler(job.name);
    if (stored && (!evenOther || isSame(stored, schedule))) {
      const state = await queue.getJobState(`repeat:${job.name}:${stored.next}`);
      if (PENDING.includes(state)) return;
    }
    try {
      const template = { name: job.name, data: {}, opts: optionsOf(job) };
      await queue.upsertJobScheduler(job.name, repeatOf(schedule), template);
    } catch (error) {
      // Another worker was first: its job for the same time exists already, and its schedule may follow a moment later.
      if (await queue.getJobScheduler(job.name)) return;
      if (isRetry) throw error;
      await this.scheduleOne(job, schedule, evenOther, true);
    }
  }

  private async count(): Promise<void> {
    for (const [name, queue] of this.queues) {
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
      for (const [state, jobs] of Object.entries(counts))
        this.metrics.queueJobs.set({ queue: name, state }, jobs);
    }
  }

  /** Shared by all queues and workers. */
  private postgres(): pg.Pool {
    if (this.pool) return this.pool;
    const jobs = this.features.all.jobs.length;
    this.pool = new pg.Pool({
      connectionString: this.config.databaseUrl,
      max: CONNECTIONS + (this.config.roles.has('worker') ? 1 : 0),
      application_name: 'rende-jobs',
      keepAlive: true,
      // Sweeps make up for jobs that a crash of the database loses.
      options: '-c search_path=bullmq -c synchronous_commit=off',
    });
    this.pool.setMaxListeners(2 * jobs);
    return this.pool;
  }

  private redis(
    url: string,
    options: { enableOfflineQueue?: boolean; maxRetriesPerRequest: number | null },
  ): Redis {
    const redis = new Redis(url, { ...options, retryStrategy: (times) => Math.min(times * 100, 2_000) });
    redis.on('error', () => undefined);
    redis.setMaxListeners(0);
    this.connections.push(redis);
    return redis;
  }

  private logsOutage(queue: string): (error: Error) => void {
    return (error) => this.logger.warn({ msg: 'job queue out of reach', queue, err: describeError(error) });
  }
}

const FAILS_FAST = { enableOfflineQueue: false, maxRetriesPerRequest: 1 };
const WAITS = { maxRetriesPerRequest: null };

function optionsOf({ attempts, backoffMs }: JobDefinition) {
  return {
    removeOnComplete: true,
    removeOnFail: FAILED_KEPT,
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
  };
}

/** The id of a scheduled job contains its time. */
function runOf({ id, repeatJobKey, timestamp }: Job): JobRun {
  const time = repeatJobKey ? Number(id!.slice(id!.lastIndexOf(':') + 1)) : timestamp;
  return { id: id!, dueAt: new Date(time) };
}

function repeatOf(schedule: Schedule) {
  return 'cron' in schedule ? { pattern: schedule.cron, tz: schedule.timeZone } : { every: schedule.everyMs };
}

function isSame({ pattern, tz, every }: JobSchedulerJson, schedule: Schedule): boolean {
  const wanted: { pattern?: string; tz?: string; every?: number } = repeatOf(schedule);
  return pattern === wanted.pattern && tz === wanted.tz && every === wanted.every;
}

/** Workers wait for running jobs and for Redis without any limit, so the wait is limited here. */
async function close(open: readonly Closable[]): Promise<void> {
  const closed = Promise.allSettled(open.map((each) => each.close()));
  await Promise.race([closed, delay(CLOSE_BOUND_MS, undefined, { ref: false })]);
}
