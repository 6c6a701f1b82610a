import type { Hint } from './hint-bus.js';

const KEPT_MS = 60_000;
const MOST_ROOMS = 50_000;
/** Allowance for different transmission times of the two messages. */
const UNDER_WAY_MS = 1_000;

interface Room {
  /** The last hint of each topic, and the time at which it was received. */
  topics: Map<string, { hint: Hint; at: number }>;
  latest: number;
}

/** The hints of the last minute, for sockets that connect after their page has begun to read. Times are in milliseconds. */
export class RecentHints {
  /** In the order of their last hints. */
  private readonly rooms = new Map<string, Room>();
  /** All hints since this time are known. */
  private completeFrom: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.completeFrom = now();
  }

  note(name: string, hint: Hint): void {
    const at = this.now();
    const { topics } = this.rooms.get(name) ?? { topics: new Map<string, { hint: Hint; at: number }>() };
    topics.set(hint.topic, { hint, at });
    this.rooms.delete(name);
    this.rooms.set(name, { topics, latest: at });
    for (const [oldest, { latest }] of this.rooms) {
      if (latest >= at - KEPT_MS && this.rooms.size <= MOST_ROOMS) break;
      this.rooms.delete(oldest);
      this.completeFrom = Math.max(this.completeFrom, latest);
    }
  }

  /**
   * The last hint of each topic in these rooms since a page began to read so many milliseconds ago; null if not all of
   * them are known.
   */
  within(ms: number, names: Iterable<string>): Hint[] | null {
    const began = this.now() - ms;
    if (began <= this.completeFrom || ms > KEPT_MS) return null;
    return Array.from(names).flatMap((name) =>
      Array.from(this.rooms.get(name)?.topics.values() ?? [])
        .filter(({ at }) => at >= began - UNDER_WAY_MS)
        .map(({ hint }) => hint),
    );
  }
}
