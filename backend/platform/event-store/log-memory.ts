import type { FoldedStream, LogHead } from './command-transaction.js';

/** Memory for streams and keys, of all tenants and of one. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_BYTES_OF_TENANT = 512 * 1024;
/** Estimated size of a map entry with its key and objects. */
const BYTES_PER_ENTRY = 200;
/** A tenant without commands for so long (at most a quarter longer) is forgotten. */
const IDLE_MS = 60_000;

/** Wrapped keys by id; null where the key was destroyed. A missing one does not exist yet or was not read. */
export type WrappedKeys = ReadonlyMap<string, Buffer | null>;

/** A tenant's log as it was when this process last wrote to it, folded as far as commands have read it. */
export interface RememberedLog {
  readonly head: LogHead;
  /** Least recently used first. */
  readonly streams: ReadonlyMap<string, FoldedStream>;
  readonly keys: WrappedKeys;
}

/**
 * The folded streams of the tenants whose commands this process runs. The database checks whether they are still current.
 * They hold personal data, so unused ones are dropped.
 */
export class LogMemory {
  /** Least recently used first. */
  private readonly logs = new Map<string, { log: RememberedLog; bytes: number; usedAt: number }>();
  private bytes = 0;
  private readonly sweeper = setInterval(() => this.sweep(), IDLE_MS / 4).unref();

  close(): void {
    clearInterval(this.sweeper);
  }

  recall(tenantId: string): RememberedLog | undefined {
    return this.logs.get(tenantId)?.log;
  }

  /** Stores the streams that a command folded on the log `before`, and keeps those already stored for the same log. */
  remember(tenantId: string, before: LogHead, after: RememberedLog): void {
    const known = this.recall(tenantId);
    const kept = known?.head.hash.equals(before.hash) ? known : undefined;
    this.forget(tenantId);
    const [streams, bytesOfStreams] = latest(kept?.streams, after.streams, sizeOf);
    const [keys, bytesOfKeys] = latest(kept?.keys, after.keys, () => BYTES_PER_ENTRY);
    const bytes = bytesOfStreams + bytesOfKeys;
    this.logs.set(tenantId, { log: { head: after.head, streams, keys }, bytes, usedAt: performance.now() });
    this.bytes += bytes;
    for (const other of this.logs.keys()) {
      if (this.bytes <= MAX_BYTES) break;
      this.forget(other);
    }
  }

  forget(tenantId: string): void {
    this.bytes -= this.logs.get(tenantId)?.bytes ?? 0;
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

const sizes = new WeakMap<FoldedStream, number>();

/** About how much memory a folded stream takes: its state as UTF-16 text. A stream is measured once. */
function sizeOf(stream: FoldedStream): number {
  let size = sizes.get(stream);
  if (size === undefined) {
    size = BYTES_PER_ENTRY + 2 * (JSON.stringify(stream.state)?.length ?? 0);
    sizes.set(stream, size);
  }
  return size;
}

/** Merges both, most recently used last, drops the least recently used beyond the tenant's limit, and answers the size. */
function latest<Value>(
  before: ReadonlyMap<string, Value> | undefined,
  used: ReadonlyMap<string, Value>,
  size: (value: Value) => number,
): [Map<string, Value>, number] {
  const all = new Map(before);
  for (const [key, value] of used) {
    all.delete(key);
    all.set(key, value);
  }
  let bytes = 0;
  for (const value of all.values()) bytes += size(value);
  for (const [key, value] of all) {
    if (bytes <= MAX_BYTES_OF_TENANT) break;
    all.delete(key);
    bytes -= size(value);
  }
  return [all, bytes];
}
