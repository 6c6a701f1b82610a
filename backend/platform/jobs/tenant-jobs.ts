import { Logger } from '@nestjs/common';
import { describeError } from '../ops/logger.js';
import { currentTrace, type TraceParent } from '../ops/tracing.js';
import type { JobDefinition } from './define-job.js';
import type { Queues } from './queues.js';

/** As many tenants as one batch projects. */
const TENANTS_PER_JOB = 200;

/**
 * Adds jobs that name tenants. One job is added at a time, and the next one names all tenants that were added
 * meanwhile, so the number of jobs per second is bounded however many commands there are. Sweeps make up for lost jobs.
 */
export class TenantJobs {
  private readonly logger = new Logger(TenantJobs.name);
  /** With the trace of what was done last for each. */
  private readonly tenants = new Map<string, TraceParent>();
  private isAdding = false;

  constructor(
    private readonly queues: Queues,
    private readonly job: JobDefinition<{ tenants: string[] }>,
  ) {}

  add(tenantIds: readonly string[], traceOf: (tenantId: string) => TraceParent = currentTrace): void {
    for (const tenantId of tenantIds) this.tenants.set(tenantId, traceOf(tenantId));
    if (!this.isAdding) void this.addAll();
  }

  private async addAll(): Promise<void> {
    this.isAdding = true;
    while (this.tenants.size > 0) {
      const next = [...this.tenants].slice(0, TENANTS_PER_JOB);
      const [tenants, traces] = [next.map(([tenantId]) => tenantId), next.map(([, trace]) => trace)];
      for (const tenantId of tenants) this.tenants.delete(tenantId);
      try {
        await this.queues.add(this.job, { tenants }, undefined, traces);
      } catch (error) {
        this.logger.warn({ msg: 'job not added', queue: this.job.name, err: describeError(error) });
      }
    }
    this.isAdding = false;
  }
}
