import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { prepared } from '../database/pools.js';
import { Queues } from '../jobs/queues.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { describeError } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { ProjectorPool } from '../projections/projector-pool.js';
import { type Mail, MAIL_QUEUE, type MailJob, Outbox } from './outbox.js';
import { MailRefused, Post } from './post.js';

const AT_ONCE = 5;
const SWEEP_MS = 5_000;
const PURGE_EVERY_SWEEPS = 720;
const RECORD_AGAIN_MS = 250;
/** Longer than any conversation with a mail server may take. */
const LEASE_MS = 5 * 60_000;

const CLAIM = `update mails set attempts = attempts + 1, claimed_until = now() + $2 * interval '1 millisecond'
  where id = $1 and done_at is null and next_attempt_at <= now() and coalesce(claimed_until <= now(), true)
  returning id, tenant_id, kind, person_id, subject_id`;
const DONE =
  'update mails set done_at = now(), outcome = $2, claimed_until = null where id = $1 returning id';
/** Half a minute, a minute, two … up to half an hour apart, for three days. */
const LATER = `update mails set claimed_until = null,
    next_attempt_at = now() + least(interval '30 minutes', interval '15 seconds' * 2 ^ least(attempts, 10)),
    done_at = case when created_at < now() - interval '3 days' then now() end,
    outcome = case when created_at < now() - interval '3 days' then 'given up' end
  where id = $1 returning attempts, outcome`;
const DUE = `select id from mails
  where done_at is null and next_attempt_at <= now() and coalesce(claimed_until <= now(), true)
  order by next_attempt_at limit 100`;
const WAITING = 'select count(*)::int as waiting from mails where done_at is null';
const PURGE = `delete from mails where done_at < now() - interval '7 days' returning id`;

interface MailRow {
  id: string;
  tenant_id: string | null;
  kind: string;
  person_id: string | null;
  subject_id: string;
}

/**
 * Sends what lies in the outbox. Jobs name mails, the rows say what is left to do: a mail is claimed for five minutes,
 * handed over, and recorded as done. What fails is tried again for three days; a sweep finds what jobs lost.
 *
 * Handed over once, it is not handed over again: while the database does not take the record, its claim is held and the
 * record repeated. What remains is a process (or the connection to the mail server) that ends between the server's
 * acceptance and our hearing or recording it. Nobody can know then, and a second copy is better than none: it has the
 * same Message-ID and the same words.
 */
@Injectable()
export class MailSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MailSender.name);
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private sweeps = 0;
  private stopped = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly post: Post,
    private readonly projectorPool: ProjectorPool,
    private readonly queues: Queues,
    private readonly metrics: Metrics,
    private readonly trap: ErrorTrap,
  ) {}

  onApplicationBootstrap(): void {
    this.queues.worker<MailJob>(MAIL_QUEUE, ({ data }) => this.deliver(data.mailId), AT_ONCE);
    this.scheduleSweep(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.all(this.running);
  }

  /** Sends one mail if it is due and nobody else is at it. A failure of the mail server is recorded, not thrown. */
  deliver(mailId: string): Promise<void> {
    const delivery = this.attempt(mailId).finally(() => this.running.delete(delivery));
    this.running.add(delivery);
    return delivery;
  }

  private async attempt(mailId: string): Promise<void> {
    if (this.stopped) return;
    const [row] = await this.query<MailRow>(CLAIM, [mailId, LEASE_MS]);
    if (!row) return;
    const { id, tenant_id: tenantId, kind, person_id: personId, subject_id: subjectId } = row;
    const outcome = await this.handOver({ id, tenantId, kind, personId, subjectId });
    if (outcome) await this.record(mailId, kind, outcome);
  }

  private async handOver(mail: Mail): Promise<'sent' | 'dropped' | 'refused' | undefined> {
    try {
      const letter = await this.outbox.compose(mail);
      if (!letter) return 'dropped';
      await this.post.send(mail.id, letter);
      return 'sent';
    } catch (error) {
      if (error instanceof MailRefused) {
        this.logger.warn({ msg: 'mail refused', mailId: mail.id, kind: mail.kind, reason: error.message });
        return 'refused';
      }
      const [later] = await this.query<{ attempts: number; outcome: string | null }>(LATER, [mail.id]);
      const { kind, id: mailId } = mail;
      if (later?.outcome) this.metrics.mails.inc({ kind, outcome: later.outcome });
      this.logger.warn({ msg: 'mail not sent', mailId, kind, ...later, ...whatFailed(error) });
      return undefined;
    }
  }

  /** As long as the claim holds. */
  private async record(mailId: string, kind: string, outcome: string): Promise<void> {
    const end = performance.now() + LEASE_MS;
    for (;;) {
      try {
        const recorded = await this.query(DONE, [mailId, outcome]);
        // Whom it was for was forgotten while it was sent.
        if (recorded.length === 0) await this.post.forget(mailId);
        this.metrics.mails.inc({ kind, outcome });
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        await delay(RECORD_AGAIN_MS);
      }
    }
  }

  private scheduleSweep(after: number): void {
    this.timer = setTimeout(() => {
      void this.sweep().finally(() => {
        if (!this.stopped) this.scheduleSweep(SWEEP_MS);
      });
    }, after);
  }

  private async sweep(): Promise<void> {
    try {
      const [mails] = await this.query<{ waiting: number }>(WAITING, []);
      this.metrics.mailsWaiting.set(mails!.waiting);
      const due = (await this.query<{ id: string }>(DUE, [])).values();
      const inTurn = async () => {
        for (const { id } of due) await this.deliver(id);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
      if (this.sweeps % PURGE_EVERY_SWEEPS === 0) {
        for (const { id } of await this.query<{ id: string }>(PURGE, [])) await this.post.forget(id);
      }
      this.sweeps += 1;
    } catch (error) {
      this.trap.failed('timer', 'sweep of mails failed', error);
    }
  }

  private async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return (await this.projectorPool.pool.query<Row>(prepared(text, values))).rows;
  }
}

/** The words of a mail server quote addresses, so only its codes remain. */
function whatFailed(error: unknown): Record<string, unknown> {
  const { command, responseCode, code } = error as Record<string, unknown>;
  return command === undefined ? { err: describeError(error) } : { code, command, responseCode };
}
