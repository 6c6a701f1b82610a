import type { FoldedStream, LogHead, WrappedKeys } from './command-transaction.js';

/** Streams in memory, of all tenants and of one. */
const MAX_STREAMS = 20_000;
const MAX_STREAMS_OF_TENANT = 100;
/** Between the last command of a tenant and the moment at which nothing is remembered of it, at most a quarter more. */
const IDLE_MS = 60_000;

/** A tenant's log as it was when this process last wrote to it, folded as far as commands have read it. */
export interface RememberedLog {
  readonly head: LogHead;
  /** Least recently used first. */
  readonly streams: ReadonlyMap<string, FoldedStream>;
  readonly keys: WrappedKeys;
}

/**
 * What a process remembers of the tenants that work through it. Whether it still holds is for the database to say. It
 * holds what is said about persons, so what nobody uses is not kept.
 */
export class LogMemory {
  /** Least recently used first. */
  private readonly logs = new Map<string, { log: RememberedLog; usedAt: number }>();
  private streams = 0;
  private readonly sweeper = setInterval(() => this.sweep(), IDLE_MS / 4).unref();

  close(): void {
    clearInterval(this.sweeper);
  }

  recall(tenantId: string): RememberedLog | undefined {
    return this.logs.get(tenantId)?.log;
  }

  /** Keeps what a command folded that was decided on the log `before`, and what was remembered of that log already. */
  remember(tenantId: string, before: LogHead, after: RememberedLog): void {
    const known = this.recall(tenantId);
    const kept = known?.head.hash.equals(before.hash) ? known : undefined;
    this.forget(tenantId);
    const log = {
      head: after.head,
      streams: latest(kept?.streams, after.streams),
      keys: latest(kept?.keys, after.keys),
    };
    this.logs.set(tenantId, { log, usedAt: performance.now() });
    this.streams += log.streams.size;
    for (const other of this.logs.keys()) {
      if (this.streams <= MAX_STREAMS) break;
      this.forget(other);
    }
  }

  forget(tenantId: string): void {
    this.streams -= this.recall(tenantId)?.streams.size ?? 0;
    this.logs.delete(tenantId);
  }

  private sweep(): void {
    const since = performance.now() - IDLE_MS;
    for (const [tenantId, { usedAt }] of this.logs) {
      if (usedAt > since) break;
      this.forget(tenantId);
    }
  }
}

/** Both, what was used now behind the rest, and of all that the last ones. */
function latest<Value>(
  before: ReadonlyMap<string, Value> | undefined,
  used: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const all = new Map(before);
  for (const [key, value] of used) {
    all.delete(key);
    all.set(key, value);
  }
  for (const key of all.keys()) {
    if (all.size <= MAX_STREAMS_OF_TENANT) break;
    all.delete(key);
  }
  return all;
}
