import { LRUCache } from 'lru-cache';
import type { FoldedStream, LogHead } from './command-transaction.js';

/** Then a tenant's log is read anew: folded streams hold personal texts, and what they were read from may have been repaired. */
const AGE_MS = 60_000;
/** Streams and keys of all tenants, and streams of one: those that were used last. */
const MOST = 20_000;
const MOST_OF_TENANT = 200;
/** A stream whose state is larger, in characters of JSON, is read each time. */
const LARGEST_STATE = 10_000;

/** A tenant's log after a command, as far as commands have read it. */
export interface KnownLog {
  readonly head: LogHead;
  readonly streams: ReadonlyMap<string, FoldedStream>;
  /** Keys of persons that were used, by id. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

interface RememberedLog extends KnownLog {
  /** Those that were used last are last. */
  readonly streams: Map<string, FoldedStream>;
  readonly keys: Map<string, Buffer>;
}

/**
 * The logs that commands of this process have read in the last minute. Another process may have written since: Postgres
 * compares the head when a command is recorded.
 */
export class LogMemory {
  private readonly logs: LRUCache<string, RememberedLog>;

  constructor(time: { now(): number } = performance) {
    this.logs = new LRUCache({
      maxSize: MOST,
      sizeCalculation: ({ streams, keys }) => streams.size + keys.size + 1,
      ttl: AGE_MS,
      ttlAutopurge: true,
      ttlResolution: 0,
      noUpdateTTL: true,
      perf: time,
    });
  }

  recall(tenantId: string): KnownLog | undefined {
    return this.logs.get(tenantId);
  }

  forget(tenantId: string): void {
    this.logs.delete(tenantId);
  }

  /** Adds what a command that was decided on `before` has used to what was known of that log; of another, nothing is kept. */
  remember(tenantId: string, before: LogHead, used: KnownLog): void {
    const known = this.logs.get(tenantId);
    const { streams, keys }: Pick<RememberedLog, 'streams' | 'keys'> = known?.head.hash.equals(before.hash)
      ? known
      : { streams: new Map(), keys: new Map() };
    for (const [id, stream] of [...used.streams].slice(-MOST_OF_TENANT)) {
      const isSmall =
        streams.get(id) === stream || JSON.stringify(stream.state ?? null).length <= LARGEST_STATE;
      streams.delete(id);
      if (isSmall) streams.set(id, stream);
    }
    for (const id of streams.keys()) {
      if (streams.size <= MOST_OF_TENANT) break;
      streams.delete(id);
    }
    for (const [id, key] of used.keys) keys.set(id, key);
    this.logs.set(tenantId, { head: used.head, streams, keys });
  }
}
