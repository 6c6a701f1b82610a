import { Problem } from '../http/problem.js';

/** Callers of one tenant that may wait in one process, and for how long. Over it: 503 with Retry-After. */
const MAX_WAITING = 20_000;
const MAX_WAIT_MS = 30_000;

/**
 * One command per tenant at a time in this process, the others waiting before they take a connection: one busy
 * tenant cannot eat the pool.
 */
export class TenantQueue {
  private readonly waiting = new Map<string, (() => void)[]>();

  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    await this.enter(tenantId);
    try {
      return await work();
    } finally {
      this.leave(tenantId);
    }
  }

  private enter(tenantId: string): Promise<void> | undefined {
    const queue = this.waiting.get(tenantId);
    if (!queue) {
      this.waiting.set(tenantId, []);
      return undefined;
    }
    if (queue.length >= MAX_WAITING) throw new Problem('busy');
    const since = performance.now();
    return new Promise<void>((resolve, reject) => {
      queue.push(() => {
        if (performance.now() - since <= MAX_WAIT_MS) {
          resolve();
        } else {
          reject(new Problem('busy'));
          this.leave(tenantId);
        }
      });
    });
  }

  private leave(tenantId: string): void {
    const queue = this.waiting.get(tenantId);
    const next = queue?.shift();
    if (next) next();
    else this.waiting.delete(tenantId);
  }
}
