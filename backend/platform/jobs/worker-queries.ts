import type pg from 'pg';

/** The statements of a worker that end a job, ask for the next one, or ask whether and when there is one. */
const NEXT =
  /FROM (move_to_active|move_to_completed_fetch|next_signal)\(|SELECT (next_delay)\(|AS (present)\b/;

/** BullMQ's claim; tells how many jobs there were to claim (two stand for more) and when the next delayed one is due. */
const CLAIM = `
  select claimed.*, queue.ready, queue.next_due
  from (select
    (select count(*)::int from (select from job where queue = $1 and state = 'waiting' limit 2) as waiting)
      + (select count(*)::int from (select from job where queue = $1 and state = 'delayed' and process_at_ms <= $4 limit 2) as due)
      as ready,
    (select min(process_at_ms) from job where queue = $1 and state = 'delayed' and process_at_ms > $4) as next_due
  ) as queue
  left join move_to_active($1, $2, $3, $4, $5, $6, $7) as claimed on true`;

/** Removes a job that is done, where it is nobody's parent or child, and was not taken from its worker. */
const REMOVE = `
  delete from job
  where queue = $1 and id = $2 and lock_token = $3 and state = 'active' and parent_id is null and dedup_id is null
    and not exists (select from job_dependency where parent_queue = $1 and parent_id = $2)`;
const COMPLETE = 'select move_to_completed($1, $2, $3, $4::jsonb, $5, $6, $7, $8)';

type Answer = Pick<pg.QueryResult, 'rows'>;
type Claimed = { id: string | null; ready: number; next_due: string | null };

/**
 * The statements of a worker, without those whose answer is known. For each job BullMQ asks three times for another one and, when
 * there is none, each time when the next delayed one is due: eight statements, of which two are needed where jobs come one
 * by one. A claim tells whether it has left any job; until the next one is announced, there is none but those whose delay has passed.
 */
export class WorkerQueries {
  /** What `announced` was before a claim that left no job. */
  private emptyAt: number | undefined;
  private nextDue = 0;
  /** A worker that has waited asks Postgres in any case, so that a job whose announcement was lost waits no longer than that. */
  private hasWaited = false;

  constructor(
    private readonly pool: pg.Pool,
    /** Another number after each announcement of a job of the queue; equal to none while nobody listens. */
    private readonly announced: (queue: string) => number,
  ) {}

  async query(text: string, values: unknown[]): Promise<Answer> {
    const [, first, second, third] = NEXT.exec(text) ?? [];
    const asked = first ?? second ?? third;
    if (asked === 'move_to_active')
      return this.hasWaited || !this.isEmpty(values[0]) ? this.claim(values) : { rows: [] };
    if (asked === 'move_to_completed_fetch') {
      await this.complete(values.slice(0, 8));
      const claim = [...values.slice(0, 1), ...values.slice(2, 3), ...values.slice(8)];
      return this.isEmpty(values[0]) ? { rows: [] } : this.claim(claim);
    }
    if (asked && this.isEmpty(values[0])) {
      this.hasWaited ||= asked === 'present';
      return { rows: [{ present: false, rate_limit_ttl: 0, next_delay: this.nextDue || null }] };
    }
    try {
      return await this.pool.query(text, values);
    } finally {
      // It may have delayed a job.
      if (!asked) this.emptyAt = undefined;
    }
  }

  private isEmpty(queue: unknown): boolean {
    return (
      this.emptyAt === this.announced(String(queue)) && (this.nextDue === 0 || this.nextDue > Date.now())
    );
  }

  private async claim(values: unknown[]): Promise<Answer> {
    this.hasWaited = false;
    const announced = this.announced(String(values[0]));
    const { rows } = await this.pool.query<Claimed>({ name: 'claim', text: CLAIM, values });
    const claimed = rows.filter(({ id }) => id !== null);
    const { ready, next_due } = rows[0]!;
    this.emptyAt = ready <= claimed.length ? announced : undefined;
    this.nextDue = Number(next_due ?? 0);
    return { rows: claimed };
  }

  private async complete(values: unknown[]): Promise<void> {
    const [queue, id, token, , , isRemoved] = values;
    const removed =
      isRemoved === true &&
      (await this.pool.query({ name: 'remove', text: REMOVE, values: [queue, id, token] })).rowCount;
    if (!removed) await this.pool.query(COMPLETE, values);
  }
}
