import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../http/problem.js';

/** Delay before a refusal: callers who retry at once would keep the process busy with refusals alone. */
const REFUSAL_MS = 500;

interface TenantQueueOptions {
  /** How much of one tenant's work runs at the same time. */
  atOnce: number;
  /** How many of its callers may wait, and how long. Beyond that they get a 503 with Retry-After. */
  maxWaiting: number;
  maxWaitMs: number;
}

interface Tenant {
  running: number;
  waiting: (() => void)[];
}

/**
 * Bounds how much of one tenant's work this process does at a time. Callers over it wait before they take a connection:
 * one busy tenant cannot use up what all tenants share.
 */
export class TenantQueue {
  private readonly tenants = new Map<string, Tenant>();

  constructor(private readonly options: TenantQueueOptions) {}

  /** @throws Problem `busy` where too many wait already, or the caller has waited too long */
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
