/** Error codes of an outage (database, disk, network), during which every attempt fails. */
const OUTAGE = /^(08|53|57P)|^E[A-Z_]+$/;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 600_000;

interface Known {
  until: number;
  waitMs: number;
  leftOut: number;
}

/**
 * Decides which lines about an outage are written: the first of each kind, then one after growing intervals of up to ten
 * minutes, with the number of lines left out. A kind that did not occur for twice its interval starts over.
 */
export class LogBackoff {
  private readonly known = new Map<string, Known>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns the number of similar lines left out before this one, or undefined if this one is left out too. */
  leftOutBefore(line: { msg?: unknown; check?: unknown; err?: Record<string, unknown> }): number | undefined {
    const code = codeOf(line.err);
    if (code === undefined || !OUTAGE.test(code)) return 0;
    const kind = `${String(line.msg)} ${String(line.check)} ${code}`;
    const known = this.known.get(kind);
    const now = this.now();
    if (known && now < known.until) {
      known.leftOut += 1;
      return undefined;
    }
    const isNew = !known || now > known.until + 2 * known.waitMs;
    const waitMs = isNew ? FIRST_WAIT_MS : Math.min(known.waitMs * 2, LONGEST_WAIT_MS);
    this.known.set(kind, { until: now + waitMs, waitMs, leftOut: 0 });
    return known?.leftOut ?? 0;
  }
}

function codeOf(error: Record<string, unknown> | undefined): string | undefined {
  if (typeof error?.code === 'string' && OUTAGE.test(error.code)) return error.code;
  const cause = error?.cause as Record<string, unknown> | undefined;
  return cause ? codeOf(cause) : undefined;
}
