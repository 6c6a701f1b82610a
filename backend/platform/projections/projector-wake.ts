import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type JobQueue, newJob, Queues } from '../jobs/queues.js';
import { describeError } from '../ops/logger.js';
import { Readiness } from '../ops/readiness.js';
import { Metrics } from '../ops/metrics.js';
import { HintBus } from '../realtime/hint-bus.js';

export const WAKE_QUEUE = 'projections';

/** What a wake-up carries: names of tenants, never the work itself. */
export interface WakeUp {
  tenants: string[];
}

/** Names gather so long between two messages, and between two jobs: a job costs more than what it announces. */
const MESSAGE_MS = 1;
const JOB_MS = 100;

/**
 * Tells that tenants have new events: the projector of this process by a call, where it has one, and otherwise workers,
 * twice: at once by a message, which whoever does not listen just then misses, and by a job, which waits for one of them.
 */
@Injectable()
export class ProjectorWake implements OnApplicationBootstrap {
  private readonly logger = new Logger(ProjectorWake.name);
  private readonly message = new Gathering(MESSAGE_MS, (tenants) => this.hints.committed(tenants));
  private readonly job = new Gathering(JOB_MS, (tenants) => this.enqueue(tenants));
  private listener: ((tenantId: string) => void) | undefined;
  private queue: JobQueue | undefined;

  constructor(
    private readonly queues: Queues,
    private readonly hints: HintBus,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const queue = this.queues.queue(WAKE_QUEUE);
    this.queue = queue;
    const count = async () => {
      const counts = await queue.getJobCounts('waiting', 'active', 'failed');
      for (const [state, jobs] of Object.entries(counts))
        this.metrics.queueJobs.set({ queue: WAKE_QUEUE, state }, jobs);
    };
    this.readiness.register('queue', count, { vital: false });
  }

  /** The projector of this process: it hears at once, and no job is needed. */
  onCommitted(listener: (tenantId: string) => void): void {
    this.listener = listener;
  }

  committed(tenantId: string): void {
    if (this.listener) {
      this.listener(tenantId);
      return;
    }
    this.message.add(tenantId);
    this.job.add(tenantId);
  }

  private async enqueue(tenants: string[]): Promise<void> {
    try {
      await this.queue!.add('wake', { tenants } satisfies WakeUp, newJob());
    } catch (error) {
      // The once-a-second sweep finds these tenants.
      this.logger.warn({ msg: 'wake-up lost', err: describeError(error) });
    }
  }
}

/** Names that are told together: the first at once, others when that is done and a while has passed. */
class Gathering {
  private readonly names = new Set<string>();
  private telling = false;

  constructor(
    private readonly pauseMs: number,
    private readonly tell: (names: string[]) => Promise<void> | void,
  ) {}

  add(name: string): void {
    this.names.add(name);
    if (!this.telling) void this.tellAll();
  }

  private async tellAll(): Promise<void> {
    this.telling = true;
    while (this.names.size > 0) {
      const names = [...this.names];
      this.names.clear();
      await this.tell(names);
      await delay(this.pauseMs, undefined, { ref: false });
    }
    this.telling = false;
  }
}
