import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../http/problem.js';

/** Delay before a refusal: callers who retry at once would keep the process busy with refusals alone. */
const REFUSAL_MS = 500;

interface TenantQueueOptions {
  /** How many calls of one tenant run at the same time. */
  atOnce: number;
  /** How many callers of a tenant may wait, and for how long. Others get a 503 with Retry-After. */
  maxWaiting: number;
  maxWaitMs: number;
}

interface Tenant {
  running: number;
  waiting: (() => void)[];
}

/**
 * Limits how many calls of a tenant this process runs at a time. Further callers wait before they take a connection, so
 * that one busy tenant cannot use up what all tenants share.
 */
export class TenantQueue {
  private readonly tenants = new Map<string, Tenant>();

  constructor(private readonly options: TenantQueueOptions) {}

  /** @throws Problem `busy` if too many wait already, or the caller has waited too long */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    await this.enter(tenantId);
    try {
      return await work();
    } finally {
      this.leave(tenantId);
    }
  }

  private enter(tenantId: string): Promise<void> | undefined {
    const { atOnce, maxWaiting, maxWaitMs } = this.options;
    const tenant = this.tenants.get(tenantId);
    if (!tenant) {
      this.tenants.set(tenantId, { running: 1, waiting: [] });
      return undefined;
    }
    if (tenant.running < atOnce) {
      tenant.running += 1;
      return undefined;
    }
    if (tenant.waiting.length >= maxWaiting) return refuse();
    const since = performance.now();
    return new Promise<void>((resolve, reject) => {
      tenant.waiting.push(() => {
        if (performance.now() - since <= maxWaitMs) {
          resolve();
        } else {
          reject(new Problem('busy'));
          this.leave(tenantId);
        }
      });
    });
  }

  /** Lets the next waiting caller run. */
  private leave(tenantId: string): void {
    const tenant = this.tenants.get(tenantId)!;
    const next = tenant.waiting.shift();
    if (next) next();
    else {
      tenant.running -= 1;
      if (tenant.running === 0) this.tenants.delete(tenantId);
    }
  }
}

async function refuse(): Promise<never> {
  await delay(REFUSAL_MS);
  throw new Problem('busy');
}
