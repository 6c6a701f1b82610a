import type { FoldedStream, LogHead } from './command-transaction.js';

/** Memory for streams and keys, of all tenants and of one. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_BYTES_OF_TENANT = 512 * 1024;
/** What a map's entry, a wrapped key and the object around a state take, about. */
const BYTES_PER_ENTRY = 200;
/** Between the last command of a tenant and the moment at which nothing is remembered of it, at most a quarter more. */
const IDLE_MS = 60_000;

/** Wrapped keys by person; null for who was forgotten. Who is not among them has no key yet, or was not asked for. */
export type WrappedKeys = ReadonlyMap<string, Buffer | null>;

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
  private readonly logs = new Map<string, { log: RememberedLog; bytes: number; usedAt: number }>();
  private bytes = 0;
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

/** Both, the most recently used last, without the least recently used beyond a tenant's bound; and their size. */
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
