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
import type pg from 'pg';
import { Config } from '../config/env.js';
import { createPool } from '../database/pools.js';
import { FeatureRegistry } from '../features.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { describeError } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { Readiness } from '../ops/readiness.js';
import { currentTrace, traced, type TraceParent } from '../ops/tracing.js';
import {
  type JobDefinition,
  type JobRun,
  PutOff,
  QUEUES,
  type QueueName,
  type Schedule,
} from './define-job.js';
import { SharedListening } from './shared-listening.js';

const CLOSE_BOUND_MS = 5_000;
/** Number of failed jobs that a queue stores, and number of those that operators are shown. */
const FAILED_KEPT = 1_000;
const FAILED_SHOWN = 50;
/** A job that has to wait for the 200th time counts as failed. */
const MAX_STARTS = 200;
/** Connections to Postgres, besides the one on which workers listen. */
const CONNECTIONS = 6;

const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];
const POSTGRES = withBackend(createPostgresBackend);
const REDIS = withBackend(createRedisBackend);

type Closable = { close(): Promise<unknown> };
type Handler = (payload: unknown, run: JobRun) => Promise<void>;

/** The state of a queue, for operators. */
export interface QueueState {
  name: QueueName;
  counts: Record<string, number>;
  failed: { kind: string; id: string; reason: string; attempts: number; failedAt: Date }[];
}

/**
 * BullMQ on Redis where REDIS_URL is set, on Postgres otherwise, behind one interface. Adding a job
 * fails fast while the backend is down. In the worker role every job has a handler, or the process does not start.
 */
@Injectable()
export class Queues implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(Queues.name);
  private readonly queues = new Map<QueueName, Queue>();
  private readonly workers: Closable[] = [];
  private readonly kinds = new Map<string, JobDefinition>();
  private readonly handlers = new Map<string, Handler>();
  /** Scheduled jobs that this process is running. */
  private readonly running = new Set<string>();
  /** Until when the work of kinds of jobs is done, whether they failed or not, in ms. */
  private readonly doneUntil = new Map<string, number>();
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
    traces: readonly TraceParent[] = [currentTrace()],
  ): Promise<void> {
    // Postgres' backend needs a job id: without one it would create a sequence, which no role is allowed to do.
    await this.queue(job.queue).add(job.name, job.payload.parse(payload), {
      jobId,
      ...optionsOf(job),
      ...(traces.some((trace) => trace !== '') && { telemetry: { metadata: traces.join() } }),
    });
  }

  onApplicationBootstrap(): void {
    for (const job of this.features.all.jobs) {
      if (this.kinds.has(job.name)) throw new Error(`two jobs are called ${job.name}`);
      this.kinds.set(job.name, job);
    }
    for (const name of QUEUE_NAMES) this.open(name);
    this.readiness.register('queue', () => this.count(), { vital: false });
  }

  /** Begins to handle jobs. Called once everything is set up, because handlers execute commands of any module. */
  startWorkers(): void {
    if (!this.config.roles.has('worker')) return;
    for (const name of this.kinds.keys())
      if (!this.handlers.has(name)) throw new Error(`the job ${name} has no handler`);
    for (const name of QUEUE_NAMES) this.work(name);
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
          failed: failed.map(({ name: kind, id, failedReason, attemptsMade, finishedOn }) => ({
            kind,
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
   * Notes that everything that jobs of these kinds left before this time was done since, and removes the failed jobs of their
   * queues once that holds for all of them: Postgres' backend removes no single failed run of a schedule.
   * Not awaited, because a backend that does not answer would block the caller.
   */
  forgetFailures(jobs: readonly Pick<JobDefinition, 'name' | 'queue'>[], before: number): void {
    for (const { name } of jobs) this.doneUntil.set(name, before);
    const isDone = ({ name, finishedOn }: Job) =>
      !this.kinds.has(name) || finishedOn! <= (this.doneUntil.get(name) ?? 0);
    for (const name of new Set(jobs.map(({ queue }) => queue))) {
      const queue = this.queue(name);
      const forget = async () => {
        const failed = await queue.getFailed(0, FAILED_KEPT - 1);
        if (failed.length === 0 || !failed.every(isDone)) return;
        const newest = Math.max(...failed.map(({ finishedOn }) => finishedOn!));
        await queue.clean(Date.now() - newest, 0, 'failed');
      };
      forget().catch(this.logsOutage(name));
    }
  }

  /** Retries a failed job; false if it does not exist or has not failed. */
  async retry(name: string, jobId: string): Promise<boolean> {
    const job = await this.queues.get(name as QueueName)?.getJob(jobId);
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

  private queue(name: QueueName): Queue {
    return this.queues.get(name)!;
  }

  private open(name: QueueName): void {
    const { redisUrl } = this.config;
    const queue = redisUrl
      ? new REDIS.Queue(name, { connection: (this.addRedis ??= this.redis(redisUrl, FAILS_FAST)) })
      : new POSTGRES.Queue(name, { connection: this.postgres() });
    queue.on('error', this.logsOutage(name));
    this.queues.set(name, queue as Queue);
  }

  /** Handles the jobs of a queue until shutdown, which waits for the running ones. */
  private work(name: QueueName): void {
    const { redisUrl } = this.config;
    const options = {
      concurrency: QUEUES[name],
      maxStalledCount: 5,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: FAILED_KEPT },
    };
    const handle = async (job: Job, token?: string) => {
      const kind = this.kinds.get(job.name);
      if (!kind) throw new Error(`no module lists the job ${job.name}`);
      try {
        await (kind.schedule ? this.runScheduled(kind, job) : this.run(job));
      } catch (error) {
        if (!(error instanceof PutOff) || job.attemptsStarted > MAX_STARTS) throw error;
        this.metrics.jobsPutOff.inc({ job: job.name });
        await job.moveToDelayed(Date.now() + kind.backoffMs, token);
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
      if (!job || job.attemptsMade >= (job.opts.attempts ?? 1))
        this.metrics.jobsFailed.inc({ job: job?.name ?? name });
    });
    this.workers.push(worker);
  }

  private run(job: Job): Promise<void> {
    const run = runOf(job);
    const handle = () => this.handlers.get(job.name)!(job.data, run);
    // Those that name tenants have a span for each of them, where they do its work.
    return 'tenants' in (job.data as object)
      ? handle()
      : traced(`job ${job.name}`, {}, handle, run.traces[0]);
  }

  /** A job whose former run has not ended is left to its next time. */
  private async runScheduled(kind: JobDefinition, job: Job): Promise<void> {
    if (this.running.has(kind.name)) return;
    this.running.add(kind.name);
    const began = Date.now();
    try {
      await this.run(job);
      // It finds by itself what is due, and so what an earlier run of it left.
      const swept = this.features.all.jobs.filter(({ sweptBy }) => sweptBy === kind);
      this.forgetFailures([kind, ...swept], began);
    } finally {
      this.running.delete(kind.name);
    }
  }

  private async scheduleAll(): Promise<void> {
    try {
      await this.scheduleMissing(!this.isScheduled);
      this.isScheduled = true;
    } catch (error) {
      this.logger.warn({ msg: 'schedules not written, trying again', err: describeError(error) });
    }
  }

  /** An unchanged schedule is not written again, because that would drop an overdue run. */
  private async scheduleMissing(evenOther: boolean): Promise<void> {
    const queue = this.queue('schedules');
    const stored = new Map((await queue.getJobSchedulers()).map((each) => [each.key, each]));
    const pending = await queue.getJobs(['delayed', 'waiting', 'active']);
    const next = new Set(pending.map(({ repeatJobKey }) => repeatJobKey));
    for (const job of this.features.all.jobs) {
      if (!job.schedule) continue;
      const known = stored.get(job.name);
      const isRight = known && (!evenOther || isSame(known, job.schedule));
      if (!isRight || !next.has(job.name)) await this.scheduleOne(job, job.schedule);
      stored.delete(job.name);
    }
    // Written by another version, in which there was such a job.
    if (evenOther) for (const key of stored.keys()) await queue.removeJobScheduler(key);
  }

  private async scheduleOne(job: JobDefinition, schedule: Schedule, isRetry = false): Promise<void> {
    const queue = this.queue('schedules');
    try {
      const template = { name: job.name, data: {}, opts: optionsOf(job) };
      await queue.upsertJobScheduler(job.name, repeatOf(schedule), template);
    } catch (error) {
      // Another worker was first: its job for the same time exists already, and its schedule may follow a moment later.
      if (await queue.getJobScheduler(job.name)) return;
      if (isRetry) throw error;
      await this.scheduleOne(job, schedule, true);
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
    this.pool = createPool(this.config.databaseUrl, {
      max: CONNECTIONS + (this.config.roles.has('worker') ? 1 : 0),
      searchPath: 'bullmq',
      applicationName: 'rende-jobs',
      answerWithinMs: 10_000,
      // Sweeps make up for jobs that a crash of the database loses.
      session: { synchronous_commit: 'off' },
    });
    this.pool.setMaxListeners(2 * QUEUE_NAMES.length + 1);
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
function runOf({ id, repeatJobKey, timestamp, opts }: Job): JobRun {
  const time = repeatJobKey ? Number(id!.slice(id!.lastIndexOf(':') + 1)) : timestamp;
  return { id: id!, dueAt: new Date(time), traces: opts.telemetry?.metadata?.split(',') ?? [] };
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
