import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database, type Query } from '../../platform/database/database.js';
import { derivedId } from '../../platform/derived-id.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { Queues } from '../../platform/jobs/queues.js';
import { dateOf } from '../../platform/local-time.js';
import { describeError } from '../../platform/ops/logger.js';
import { Metrics } from '../../platform/ops/metrics.js';
import { quietUntil } from '../../platform/quiet-hours.js';
import { defineReaction, type Occasion, Reactions } from '../../platform/reactions/define-reaction.js';
import type { ExpiryWarningEvent } from '../expiry-warnings/expiry-warning.js';
import type { WaitingEvent } from '../public-link/waiting.js';
import type { ReceiptEvent } from '../receipts/receipt.js';
import type { ReminderEvent } from '../reminders/reminder.js';
import { messageKind, type MessageKind } from './whatsapp.api.js';
import { WhatsAppChecks } from './whatsapp-checks.service.js';
import { WhatsAppClient } from './whatsapp-client.service.js';
import { offerId, RecordWhatsApp, StopWhatsApp } from './whatsapp.commands.js';
import { type Connection, connectionOf, type WhatsAppState } from './whatsapp-connection.js';
import { WhatsAppConnections } from './whatsapp-connections.service.js';
import { WhatsAppFailure } from './whatsapp-failure.js';
import { sendDueWhatsApp, sendWhatsApp } from './whatsapp.job.js';
import type { MessageAbout } from './whatsapp-message.js';
import { WhatsAppWords } from './whatsapp-words.service.js';

type Followed = Extract<
  WaitingEvent | ReminderEvent | ReceiptEvent | ExpiryWarningEvent,
  {
    type:
      | 'WaitlistOffered'
      | 'WaitlistOfferNotMailed'
      | 'ReminderPrepared'
      | 'ReceiptIssued'
      | 'ExpiryWarningPrepared';
  }
>;

/** Puts what was prepared for a tap into the outbox, where its kind is sent by itself. */
export const whatsAppMessages = defineReaction({
  name: 'whatsapp-messages',
  events: [
    'WaitlistOffered',
    'WaitlistOfferNotMailed',
    'ReminderPrepared',
    'ReceiptIssued',
    'ExpiryWarningPrepared',
  ] satisfies Followed['type'][],
});

const AT_ONCE = 5;
/** How long a claim lasts: longer than the longest sending. */
const LEASE_MS = 5 * 60_000;
const RECORD_AGAIN_MS = 250;
/** Attempts after 1, 2, 4 … minutes, up to half an hour apart. */
const MOST_ATTEMPTS = 8;
const LAST_WAIT_MS = 30 * 60_000;
const QUIET = { de: '20:00', ate: '08:00' };

const PUT = `insert into whatsapp_outbox (tenant_id, id, tipo, subject_id, student_id, sobre_id, next_attempt_at)
  select c.tenant_id, m.message_id, m.tipo, m.subject_id, m.student_id, m.sobre_id, $3::timestamptz from whatsapp_connections c
  cross join json_to_recordset($2) as m (message_id uuid, tipo text, subject_id uuid, student_id uuid, sobre_id uuid)
  where c.tenant_id = $1 and c.conectado and c.modelos ? m.tipo and c.parada is null
  on conflict do nothing returning id`;
const SEE = "select set_config('app.tenant', $1, true)";
const CLAIM = `update whatsapp_outbox set attempts = attempts + 1, claimed_until = $4
  where tenant_id = $1 and id = $2 and done_at is null and next_attempt_at <= $3
    and coalesce(claimed_until <= $3, true)
  returning id as message_id, student_id, tipo, subject_id, sobre_id, attempts, began_at`;
/**
 * Says before the message is handed over that it is: after a crash nobody knows whether it was. One a day for each student, and
 * none while one of more worth waits, or the reminder of a session of tomorrow is still to come.
 */
const BEGIN = `update whatsapp_outbox o set began_at = $3, dia = $4::date
  where o.tenant_id = $1 and o.id = $2 and not exists (
      select from whatsapp_outbox other where other.tenant_id = $1 and other.student_id = o.student_id and other.id <> o.id
        and (other.dia = $4::date
          or other.done_at is null and array_position($5::text[], other.tipo) < array_position($5::text[], o.tipo)))
    and not ($6::boolean and exists (select from sessions x where x.tenant_id = $1 and x.student_id = o.student_id
      and x.status = 'agendada' and not x.deleted and (x.inicio at time zone $7)::date = $4::date + 1))
  returning o.id`;
const LATER = `update whatsapp_outbox set next_attempt_at = $3, claimed_until = null, began_at = null, dia = null,
  attempts = attempts - case when $4 then 1 else 0 end where tenant_id = $1 and id = $2`;
const DROPPED = 'update whatsapp_outbox set done_at = $3, outcome = $4 where tenant_id = $1 and id = $2';
const UNIQUE_VIOLATION = '23505';
const DUE = 'select tenant_id as "tenantId", message_id as "messageId" from whatsapp_due($1)';

/** A message to add. `key`: what tells several messages about one subject apart. */
export interface Wanted extends Omit<MessageAbout, 'message_id'> {
  key?: string;
}

/** What follows from an event. Who has it by mail needs none. */
function wantedBy({ type, data }: Followed): Wanted | undefined {
  const student_id = data.student_id ?? ('partes' in data ? (data.partes[0]?.student_id ?? null) : null);
  if (student_id === null || ('por_email' in data && data.por_email)) return undefined;
  switch (type) {
    case 'WaitlistOffered':
    case 'WaitlistOfferNotMailed': {
      const { wait_id: sobre_id, oferta } = data;
      return { tipo: 'oferta', subject_id: offerId(sobre_id, oferta), student_id, sobre_id };
    }
    case 'ReminderPrepared': {
      const { reminder_id: subject_id, session_id: sobre_id } = data;
      return { tipo: 'lembrete', subject_id, student_id, sobre_id };
    }
    case 'ReceiptIssued': {
      const { transaction_id: subject_id } = data;
      return { tipo: 'recibo', subject_id, student_id, sobre_id: subject_id };
    }
    case 'ExpiryWarningPrepared': {
      const { warning_id: subject_id } = data;
      return { tipo: 'creditos', subject_id, student_id, sobre_id: student_id };
    }
  }
}

const isWorthLess = (one: MessageKind, other: MessageKind): boolean =>
  messageKind.options.indexOf(one) > messageKind.options.indexOf(other);

interface Claimed extends MessageAbout {
  attempts: number;
  began_at: Date | null;
}

type Outcome =
  | 'sent'
  | 'uncertain'
  | { refused: number | null }
  /** Nothing is to be said any more, or the student got another message today: what was prepared waits for a tap. */
  | 'dropped'
  | 'enough'
  /** `isOwn`: we chose to wait, so it counts as no attempt. */
  | { again: Date; isOwn: boolean };

/**
 * Sends messages by Meta's API. A message is claimed for five minutes, marked as handed over, handed over, and its outcome
 * recorded; while the database is not available, the record is retried until the claim ends. One of which nobody knows whether
 * Meta took it, because the process or the connection ended in between, is recorded as that and never sent again.
 */
@Injectable()
export class WhatsAppSender implements OnModuleInit {
  private readonly logger = new Logger(WhatsAppSender.name);

  constructor(
    private readonly database: Database,
    private readonly connections: WhatsAppConnections,
    private readonly commands: CommandBus,
    private readonly checks: WhatsAppChecks,
    private readonly words: WhatsAppWords,
    private readonly client: WhatsAppClient,
    private readonly queues: Queues,
    private readonly reactions: Reactions,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(sendWhatsApp, ({ tenantId, messageId }) => this.deliver(tenantId, messageId));
    this.queues.handle(sendDueWhatsApp, async () => {
      await this.checks.checkDue();
      await this.deliverDue();
    });
    this.reactions.handle(whatsAppMessages, (occasion) => this.put(occasion));
  }

  private async put({ event, query }: Occasion): Promise<(() => void) | undefined> {
    const { tenantId } = event;
    const wanted = wantedBy(event as unknown as Followed);
    return wanted && this.add(query, tenantId, [wanted]);
  }

  /**
   * Adds messages in the caller's transaction, those whose kind is sent by itself; the same one again changes nothing. Returns a
   * function to call after the commit.
   */
  async add(query: Query, tenantId: string, wanted: readonly Wanted[]): Promise<(() => void) | undefined> {
    if (wanted.length === 0) return undefined;
    const messages = wanted.map(({ key = '', ...about }) => ({
      ...about,
      message_id: derivedId(`whatsapp/${about.subject_id}${key}`),
    }));
    const added = await query<{ id: string }>(PUT, [tenantId, JSON.stringify(messages), this.clock.now()]);
    return () => added.forEach(({ id }) => this.wake(tenantId, id));
  }

  /** Sends a message at once; if the job is lost, `sendDueWhatsApp` finds it. */
  private wake(tenantId: string, messageId: string): void {
    this.queues.add(sendWhatsApp, { tenantId, messageId }, messageId).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of a message lost', messageId, err: describeError(error) });
    });
  }

  async deliverDue(): Promise<void> {
    const found = await this.database.lookUp<{ tenantId: string; messageId: string }>(DUE, [
      this.clock.now(),
    ]);
    const due = found.values();
    const inTurn = async () => {
      for (const { tenantId, messageId } of due) await this.deliver(tenantId, messageId);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
  }

  async deliver(tenantId: string, id: string): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const [claimed] = await this.inTenant<Claimed>(tenantId, CLAIM, id, now, until);
    if (!claimed) return;
    const found = await this.connections.find(tenantId, randomUUID());
    if (!found) return;
    const context = nobodyOf(tenantId, found.timezone);
    // An earlier attempt was interrupted.
    const outcome =
      claimed.began_at === null ? await this.attempt(context, found.state, claimed, now) : 'uncertain';
    const { attempts: _, began_at: _began, ...about } = claimed;
    await this.record(context, about, outcome);
  }

  private async attempt(
    context: CommandContext,
    state: WhatsAppState,
    claimed: Claimed,
    now: Date,
  ): Promise<Outcome> {
    const { timezone } = context;
    const { message_id, tipo, attempts } = claimed;
    const quiet = quietUntil({ ...QUIET, zona: timezone }, now);
    if (quiet) return { again: quiet, isOwn: true };
    const [connection, modelo] = [connectionOf(state), state.modelos[tipo]];
    if (!connection || !modelo || state.parada !== null) return 'dropped';
    const composed = await this.words.compose(context, claimed, now);
    if (!composed) return 'dropped';
    const hasReminders = isWorthLess(tipo, 'lembrete') && state.modelos.lembrete !== undefined;
    if (!(await this.begin(context, message_id, now, hasReminders))) return 'enough';
    try {
      await this.client.send(connection, {
        ...composed,
        id: message_id,
        modelo,
        respostas: tipo === 'lembrete' ? [`confirma/${message_id}`, `nao_vai/${message_id}`] : [],
      });
      return 'sent';
    } catch (error) {
      if (!(error instanceof WhatsAppFailure)) throw error;
      return this.after(error, { context, connection, tipo, attempts, now });
    }
  }

  /** Whether no other message has taken the student's day, perhaps at this moment, and none of more worth is to come. */
  private async begin(
    { tenantId, timezone }: CommandContext,
    id: string,
    now: Date,
    hasReminders: boolean,
  ): Promise<boolean> {
    const values = [id, now, dateOf(now, timezone), messageKind.options, hasReminders, timezone];
    try {
      return (await this.inTenant(tenantId, BEGIN, ...values)).length > 0;
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
      throw error;
    }
  }

  private async after(
    failure: WhatsAppFailure,
    {
      context,
      connection: { connection_id },
      tipo,
      attempts,
      now,
    }: { context: CommandContext; connection: Connection; tipo: MessageKind; attempts: number; now: Date },
  ): Promise<Outcome> {
    const { verdict, stored, details, reason } = failure;
    this.logger.warn({ msg: 'whatsapp message not sent', tenantId: context.tenantId, tipo, failure: stored });
    if (details.mayHaveArrived) return 'uncertain';
    switch (verdict) {
      case 'later': {
        if (attempts >= MOST_ATTEMPTS) return { refused: reason };
        const waitMs = Math.min(LAST_WAIT_MS, 30_000 * 2 ** attempts);
        return { again: new Date(now.getTime() + waitMs), isOwn: false };
      }
      case 'message':
        return { refused: reason };
      case 'template':
      case 'connection':
        await this.commands.execute(
          new StopWhatsApp(context, connection_id, verdict === 'template' ? tipo : null, reason!),
        );
        return { refused: reason };
    }
  }

  /** Retries until the claim ends. */
  private async record(context: CommandContext, about: MessageAbout, outcome: Outcome): Promise<void> {
    const { tenantId } = context;
    const { message_id, tipo } = about;
    const end = performance.now() + LEASE_MS;
    for (;;) {
      try {
        if (outcome === 'dropped' || outcome === 'enough')
          await this.inTenant(tenantId, DROPPED, message_id, this.clock.now(), outcome);
        else if (typeof outcome === 'object' && 'again' in outcome)
          await this.inTenant(tenantId, LATER, message_id, outcome.again, outcome.isOwn);
        else {
          const result = typeof outcome === 'object' ? { motivo: outcome.refused } : outcome;
          await this.commands.execute(new RecordWhatsApp(context, about, result));
        }
        const named = typeof outcome === 'string' ? outcome : 'again' in outcome ? 'later' : 'refused';
        this.metrics.whatsApps.inc({ kind: tipo, outcome: named });
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        await delay(RECORD_AGAIN_MS);
      }
    }
  }

  /** A statement under the tenant's row security; the tenant is its first value. */
  private inTenant<Row extends object>(tenantId: string, text: string, ...values: unknown[]): Promise<Row[]> {
    return this.database.transact(async (query) => {
      await query(SEE, [tenantId]);
      return query<Row>(text, [tenantId, ...values]);
    });
  }
}
