import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  createPostgresBackend,
  createRedisBackend,
  type Job,
  type Queue,
  withBackend,
  type Worker,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Config } from '../config/env.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { describeError } from '../ops/logger.js';

const CLOSE_BOUND_MS = 5_000;

const POSTGRES = withBackend(createPostgresBackend);
const REDIS = withBackend(createRedisBackend);

/** The parts of BullMQ's queue and worker that we use; the same over both backends. */
export type JobQueue = Pick<Queue, 'add' | 'close' | 'getJobCounts'>;
type JobWorker = Pick<Worker, 'close' | 'on'>;

/**
 * BullMQ on Redis where REDIS_URL is set, on Postgres otherwise; whoever uses a queue does not notice.
 * Enqueuing fails fast while the backend is down. Jobs carry ids only, never personal data, and are handled
 * idempotently: a job can be delivered twice.
 */
@Injectable()
export class Queues implements OnApplicationShutdown {
  private readonly logger = new Logger(Queues.name);
  private readonly open: { close(): Promise<unknown> }[] = [];
  private readonly connections: Redis[] = [];

  constructor(
    private readonly config: Config,
    private readonly trap: ErrorTrap,
  ) {}

  queue(name: string): JobQueue {
    const { redisUrl } = this.config;
    const queue = redisUrl
      ? new REDIS.Queue(name, {
          connection: this.redis(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1 }),
        })
      : new POSTGRES.Queue(name, { connection: this.postgres() });
    queue.on('error', this.heard(name));
    this.open.push(queue);
    return queue as JobQueue;
  }

  /** Handles jobs of a queue until shutdown, which waits for the running ones. */
  worker<Data>(name: string, handle: (job: Job<Data>) => Promise<void>, concurrency: number): JobWorker {
    const { redisUrl } = this.config;
    const options = {
      concurrency,
      maxStalledCount: 5,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 1000 },
    };
    const worker = redisUrl
      ? new REDIS.Worker<Data>(name, handle, {
          ...options,
          connection: this.redis(redisUrl, { maxRetriesPerRequest: null }),
        })
      : new POSTGRES.Worker<Data>(name, handle, { ...options, connection: this.postgres() });
    worker.on('error', this.heard(name));
    // BullMQ has caught it, and tries the job again.
    worker.on('failed', (_job, error) => this.trap.trapped('job', error));
    this.open.push(worker);
    return worker as JobWorker;
  }

  async onApplicationShutdown(): Promise<void> {
    // Workers wait for their running jobs, and for Redis to hear of their end, for ever when there is none.
    const closed = Promise.allSettled(this.open.map((each) => each.close()));
    await Promise.race([closed, delay(CLOSE_BOUND_MS, undefined, { ref: false })]);
    for (const redis of this.connections) redis.disconnect();
  }

  private postgres() {
    return {
      connectionString: this.config.databaseUrl,
      schema: 'bullmq',
      max: 2,
      application_name: 'rende-jobs',
      // What a crash of the database takes, a sweep finds.
      options: '-c synchronous_commit=off',
    };
  }

  private redis(
    url: string,
    options: { enableOfflineQueue?: boolean; maxRetriesPerRequest: number | null },
  ): Redis {
    const redis = new Redis(url, { ...options, retryStrategy: (times) => Math.min(times * 100, 2_000) });
    redis.on('error', () => undefined);
    this.connections.push(redis);
    return redis;
  }

  private heard(queue: string): (error: Error) => void {
    return (error) => this.logger.warn({ msg: 'job queue out of reach', queue, err: describeError(error) });
  }
}

/** Postgres' backend needs a job id with every add: without one it would create a sequence, which no role may. */
export function newJob(): {
  jobId: string;
  removeOnComplete: boolean;
  removeOnFail: number;
  attempts: number;
} {
  return { jobId: randomUUID(), removeOnComplete: true, removeOnFail: 1000, attempts: 3 };
}
