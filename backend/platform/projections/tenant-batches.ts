import { setTimeout as delay } from 'node:timers/promises';
import { PutOff } from '../jobs/define-job.js';
import type { BatchResult } from './projector.js';

export const TENANTS_PER_BATCH = 200;
/** Pause before a tenant that another worker holds is tried again, and number of tries before the job is put off. */
const HELD_MS = 10;
const MAX_TRIES = 100;

/** Tenants of several jobs that one batch projects. */
interface Batch {
  tenants: Set<string>;
  result: Promise<BatchResult>;
}

/**
 * Projects the tenants of all waiting jobs in one batch at a time. A tenant that another worker holds is tried again,
 * because that worker may have read the log before our commit.
 */
export class TenantBatches {
  private running: Promise<unknown> = Promise.resolve();
  private next: Batch | undefined;

  constructor(private readonly projects: (tenantIds: readonly string[]) => Promise<BatchResult>) {}

  /** @throws PutOff if another worker holds a tenant for too long */
  async project(tenantIds: readonly string[]): Promise<void> {
    let rest = tenantIds;
    for (let tries = 0; rest.length > 0; tries += 1) {
      if (tries === MAX_TRIES) throw new PutOff(`${rest.length} tenants are held by another worker`);
      const own = rest;
      const { held, unfinished } = await this.batch(own);
      const isHeld = new Set(held);
      const isLeft = new Set([...held, ...unfinished]);
      rest = own.filter((tenantId) => isLeft.has(tenantId));
      if (unfinished.some((tenantId) => rest.includes(tenantId))) tries = 0;
      else if (rest.length > 0 && rest.every((tenantId) => isHeld.has(tenantId))) await delay(HELD_MS);
    }
  }

  /** Resolves when the running batch has ended. */
  async ended(): Promise<void> {
    await this.running;
  }

  /** Projects these tenants, together with others, in the next batch that has room. */
  private batch(tenantIds: readonly string[]): Promise<BatchResult> {
    if (!this.next || this.next.tenants.size + tenantIds.length > TENANTS_PER_BATCH) {
      const tenants = new Set<string>();
      const result = this.running.then(() => this.run(tenants));
      this.running = result.catch(() => undefined);
      this.next = { tenants, result };
    }
    for (const tenantId of tenantIds) this.next.tenants.add(tenantId);
    return this.next.result;
  }

  private run(tenants: ReadonlySet<string>): Promise<BatchResult> {
    // Tenants that are added from now on belong to the next batch, which reads the log later.
    if (this.next?.tenants === tenants) this.next = undefined;
    return this.projects([...tenants]);
  }
}
