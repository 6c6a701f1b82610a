import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type JobQueue, newJob, Queues } from '../jobs/queues.js';
import { describeError } from '../ops/logger.js';
import { Readiness } from '../ops/readiness.js';
import { Metrics } from '../ops/metrics.js';

export const WAKE_QUEUE = 'projections';

/** What a wake-up carries: names of tenants, never the work itself. */
export interface WakeUp {
  tenants: string[];
}

/** Names gather so long between two jobs: a job costs more than what it announces. */
const GATHER_MS = 2;

/**
 * Tells that tenants have new events: the projector of this process by a call, where it has one, and otherwise a worker by
 * a job. One enqueue is in flight at a time; meanwhile names gather.
 */
@Injectable()
export class ProjectorWake implements OnApplicationBootstrap {
  private readonly logger = new Logger(ProjectorWake.name);
  private readonly gathering = new Set<string>();
  private listener: ((tenantId: string) => void) | undefined;
  private queue: JobQueue | undefined;
  private sending = false;

  constructor(
    private readonly queues: Queues,
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
    this.gathering.add(tenantId);
    if (!this.sending) void this.send();
  }

  private async send(): Promise<void> {
    this.sending = true;
    while (this.gathering.size > 0) {
      const tenants = [...this.gathering];
      this.gathering.clear();
      try {
        await this.queue!.add('wake', { tenants } satisfies WakeUp, newJob());
      } catch (error) {
        // The once-a-second sweep finds these tenants.
        this.logger.warn({ msg: 'wake-up lost', err: describeError(error) });
      }
      await delay(GATHER_MS, undefined, { ref: false });
    }
    this.sending = false;
  }
}
