import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { prepared } from '../database/pools.js';
import { sendDueMails, sendMail } from '../jobs/platform-jobs.js';
import { Queues } from '../jobs/queues.js';
import { describeError } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { ProjectorPool } from '../projections/projector-pool.js';
import type { StopLink } from './mail-addresses.js';
import { causeOf, type Mail, Outbox } from './outbox.js';
import { MailRefused, Post } from './post.js';

/** Due mails that are sent at the same time. */
const AT_ONCE = 5;
const RECORD_AGAIN_MS = 250;
/** How long a claim lasts: longer than the longest SMTP conversation. */
const LEASE_MS = 5 * 60_000;

const CLAIM = `update mails set attempts = attempts + 1, claimed_until = now() + $2 * interval '1 millisecond'
  where id = $1 and done_at is null and next_attempt_at <= now() and coalesce(claimed_until <= now(), true)
  returning id, tenant_id, kind, person_id, subject_id, address_hash`;
/** Why a mail to a student or visitor did not arrive, for its trainer; what came back ends the mails to that address. */
const NOTED = `noted as (insert into mail_ledger (tenant_id, person_id, address_hash, cause, thing, withheld)
    select tenant_id, person_id, $2::bytea, $4::text, kind, $3::text from done
    where outcome <> 'sent' and $2::bytea is not null),
  stopped as (insert into mail_stops (tenant_id, address_hash, reason, cause)
    select tenant_id, $2::bytea, $3::text, $4::text from done where $2::bytea is not null and $3::text = 'bounced'
    on conflict do nothing)`;
const DONE = `with done as (update mails set done_at = now(), outcome = $5, claimed_until = null where id = $1
    returning id, tenant_id, person_id, kind, outcome), ${NOTED}
  select id from done`;
/** Retries after 30 s, 1 min, 2 min … up to 30 min apart, for three days. */
const LATER = `with done as (update mails set claimed_until = null,
    next_attempt_at = now() + least(interval '30 minutes', interval '15 seconds' * 2 ^ least(attempts, 10)),
    done_at = case when created_at < now() - interval '3 days' then now() end,
    outcome = case when created_at < now() - interval '3 days' then 'given up' end
  where id = $1 returning attempts, outcome, tenant_id, person_id, kind), ${NOTED}
  select attempts, outcome from done`;
const STOPPED = `select reason from mail_stops where tenant_id = $1 and address_hash = $2 order by reason limit 1`;
const DUE = `select id from mails
  where done_at is null and next_attempt_at <= now() and coalesce(claimed_until <= now(), true)
  order by next_attempt_at limit 100`;
const WAITING = 'select count(*)::int as waiting from mails where done_at is null';
const PURGE = `delete from mails where done_at < now() - interval '7 days' returning id`;

const PURGE_COUNTS = `delete from mail_ledger where at < now() - interval '3 days'`;
/** An address may exist again. */
const PURGE_BOUNCES = `delete from mail_stops where reason = 'bounced' and at < now() - interval '90 days'`;

interface MailRow {
  id: string;
  tenant_id: string | null;
  kind: string;
  person_id: string | null;
  subject_id: string;
  address_hash: Buffer | null;
}

interface Done {
  outcome: 'sent' | 'dropped' | 'refused';
  /** What the link is about, in a mail to a student or visitor. */
  link?: StopLink | null;
  /** Why it did not arrive. */
  why?: string;
}

/**
 * Sends the mails of the outbox. Jobs name mails; the rows hold their state. A mail is claimed for five minutes, given to the
 * mail server, and recorded as done. Failed mails are retried for three days.
 *
 * A mail that the server accepted is not sent again: while the database is not available, the claim is kept and the record
 * is retried. Only if the process or the connection to the mail server ends between the acceptance and the record may a
 * second copy be sent, which is better than none: it has the same Message-ID and text.
 */
@Injectable()
export class MailSender implements OnModuleInit {
  private readonly logger = new Logger(MailSender.name);

  constructor(
    private readonly outbox: Outbox,
    private readonly post: Post,
    private readonly projectorPool: ProjectorPool,
    private readonly queues: Queues,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.queues.handle(sendMail, ({ mailId }) => this.deliver(mailId));
    this.queues.handle(sendDueMails, () => this.deliverDue());
  }

  /**
   * Sends one mail if it is due and no other process has claimed it. Failures of the mail server are recorded and not
   * thrown.
   */
  async deliver(mailId: string): Promise<void> {
    const [row] = await this.query<MailRow>(CLAIM, [mailId, LEASE_MS]);
    if (!row) return;
    const { id, tenant_id: tenantId, kind, person_id: personId, subject_id: subjectId } = row;
    const done = await this.handOver({
      id,
      tenantId,
      kind,
      personId,
      subjectId,
      addressHash: row.address_hash,
    });
    if (done) await this.record(mailId, kind, done);
  }

  private async handOver(mail: Mail): Promise<Done | undefined> {
    const { kind, id: mailId } = mail;
    let link: StopLink | null = null;
    try {
      const letter = await this.outbox.compose(mail);
      if (!letter) return { outcome: 'dropped' };
      link = this.outbox.stopLinkOf(mail, letter);
      // It counts to the limit of another address.
      if (link && mail.addressHash && !mail.addressHash.equals(link.addressHash))
        return { outcome: 'dropped', link, why: 'failed' };
      const [stop] =
        link && causeOf(link.kind) !== 'code'
          ? await this.query<{ reason: string }>(STOPPED, [link.tenantId, link.addressHash])
          : [];
      if (stop) return { outcome: 'dropped', link, why: stop.reason };
      await this.post.send(mailId, letter);
      return { outcome: 'sent' };
    } catch (error) {
      if (error instanceof MailRefused) {
        this.logger.warn({ msg: 'mail refused', mailId, kind, reason: error.message });
        return { outcome: 'refused', link, why: error.isAboutAddress ? 'bounced' : 'failed' };
      }
      const values = noted(mailId, link, 'failed');
      const [later] = await this.query<{ attempts: number; outcome: string | null }>(LATER, values);
      if (later?.outcome) this.metrics.mails.inc({ kind, outcome: later.outcome });
      this.logger.warn({ msg: 'mail not sent', mailId, kind, ...later, ...whatFailed(error) });
      return undefined;
    }
  }

  /** Retries until the claim ends. */
  private async record(mailId: string, kind: string, { outcome, link, why }: Done): Promise<void> {
    const end = performance.now() + LEASE_MS;
    for (;;) {
      try {
        const recorded = await this.query(DONE, [...noted(mailId, link, why), outcome]);
        // The recipient was forgotten while it was being sent.
        if (recorded.length === 0) await this.post.forget(mailId);
        this.metrics.mails.inc({ kind, outcome });
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        await delay(RECORD_AGAIN_MS);
      }
    }
  }

  private async deliverDue(): Promise<void> {
    const [mails] = await this.query<{ waiting: number }>(WAITING, []);
    this.metrics.mailsWaiting.set(mails!.waiting);
    const due = (await this.query<{ id: string }>(DUE, [])).values();
    const inTurn = async () => {
      for (const { id } of due) await this.deliver(id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
  }

  /** Deletes the mails that were sent more than a week ago. */
  async purge(): Promise<void> {
    for (const { id } of await this.query<{ id: string }>(PURGE, [])) await this.post.forget(id);
    await this.query(PURGE_COUNTS, []);
    await this.query(PURGE_BOUNCES, []);
  }

  private async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return (await this.projectorPool.pool.query<Row>(prepared(text, values))).rows;
  }
}

/** The first values of `DONE` and `LATER`. */
const noted = (mailId: string, link?: StopLink | null, why?: string): unknown[] => [
  mailId,
  link?.addressHash ?? null,
  why ?? null,
  link ? causeOf(link.kind) : null,
];

/** Only the codes are kept: messages of mail servers quote addresses. */
function whatFailed(error: unknown): Record<string, unknown> {
  const { command, responseCode, code } = error as Record<string, unknown>;
  return command === undefined ? { err: describeError(error) } : { code, command, responseCode };
}
