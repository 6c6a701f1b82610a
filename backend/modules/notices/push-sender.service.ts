import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import type { RequestDetails } from 'web-push';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Queues } from '../../platform/jobs/queues.js';
import { NOT_CONNECTED } from '../../platform/outgoing/ask.js';
import { AddressRefused, requestPublic } from '../../platform/outgoing/public-request.js';
import { groupOf } from './notice.js';
import { lockScreenWordsOf, type Told } from './notice.words.js';
import { oneOfSeveral } from './notifications.queries.js';
import { PushKeys } from './push-keys.service.js';
import { PushSubscriptions } from './push-subscriptions.service.js';
import { quietUntil } from '../../platform/quiet-hours.js';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.js';

/** Sends due pushes: after lost jobs, failures or quiet hours. */
export const sendDuePushes = defineJob({ name: 'push-due', schedule: { everyMs: 10_000 } });

/** Sends one notification to one browser. */
export const sendPush = defineJob({
  name: 'push',
  queue: 'outgoing',
  payload: z.strictObject({ tenantId: z.uuid(), deliveryId: z.uuid() }),
  sweptBy: sendDuePushes,
});

const AT_ONCE = 5;
const MOST_MS = 10_000;
/** How long a push service keeps a message for an offline device, and how long sending is retried. */
const LASTS_SECONDS = 86_400;
const LAST_WAIT_MS = 30 * 60_000;

/** How long a claim lasts: longer than the longest sending. */
const LEASE_MS = 5 * 60_000;
const RECORD_AGAIN_MS = 250;

const CLAIM = `update push_deliveries set attempts = attempts + 1, next_attempt_at = $3
  where id = $1 and done_at is null and (attempts = 0 or next_attempt_at <= $2)
  returning id, tenant_id, notification_id, subscription_id, attempts, created_at`;
const DONE = 'update push_deliveries set done_at = now(), outcome = $2 where id = $1';
const LATER = 'update push_deliveries set next_attempt_at = $2 where id = $1';
const GONE = 'delete from auth.push_subscriptions where id = $1';
const DUE = 'select tenant_id, delivery_id from push_deliveries_due($1)';
const SEE = "select set_config('app.tenant', $1, true)";

interface Delivery {
  id: string;
  tenant_id: string;
  notification_id: string;
  subscription_id: string;
  attempts: number;
  created_at: Date;
}

type Outcome = 'sent' | 'dropped' | 'refused' | 'gone' | { again: Date };

/** Pause for a browser whose push service did not answer in time; doubled each further time. */
const REST_MS = 60_000;
const LONGEST_REST_MS = 60 * 60_000;
const MOST_RESTING = 10_000;

/**
 * Pushes notifications to browsers (RFC 8030), encrypted for each (RFC 8291). A push is claimed for five minutes, sent, and its
 * outcome recorded; while the database is not available, the record is retried until the claim ends. Only if the process ends
 * between the sending and the record may a push be sent twice, which the browser shows once, by its tag.
 */
@Injectable()
export class PushSender implements OnModuleInit {
  private readonly logger = new Logger(PushSender.name);
  /** Paused subscriptions, which otherwise would block the few concurrent senders. */
  private readonly resting = new Map<string, { times: number; until: Date }>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly keys: PushKeys,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  onModuleInit(): void {
    this.queues.handle(sendPush, ({ tenantId, deliveryId }) => this.deliver(tenantId, deliveryId));
    this.queues.handle(sendDuePushes, () => this.deliverDue());
  }

  /** Sends a push at once; if the job is lost, `sendDuePushes` finds it. */
  wake(tenantId: string, deliveryId: string): void {
    this.queues.add(sendPush, { tenantId, deliveryId }, deliveryId).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of a push lost', deliveryId, error: String(error) });
    });
  }

  async deliver(tenantId: string, id: string): Promise<void> {
    const now = this.clock.now();
    const [delivery] = await this.inTenant<Delivery>(tenantId, CLAIM, [
      id,
      now,
      new Date(now.getTime() + LEASE_MS),
    ]);
    if (!delivery) return;
    const outcome = await this.send(delivery, now).catch((error: unknown) => {
      this.logger.error(new Error('A push could not be prepared', { cause: error }));
      return later(delivery, now);
    });
    await this.record(delivery, outcome);
  }

  /** Retries until the claim ends. */
  private async record({ id, tenant_id, subscription_id }: Delivery, outcome: Outcome): Promise<void> {
    const end = performance.now() + LEASE_MS;
    for (;;) {
      try {
        if (outcome === 'gone') await this.database.query(GONE, [subscription_id]);
        else if (typeof outcome === 'object') await this.inTenant(tenant_id, LATER, [id, outcome.again]);
        else await this.inTenant(tenant_id, DONE, [id, outcome]);
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        await delay(RECORD_AGAIN_MS);
      }
    }
  }

  async deliverDue(): Promise<void> {
    const found = await this.database.query<{ tenant_id: string; delivery_id: string }>(DUE, [
      this.clock.now(),
    ]);
    const due = found.values();
    const inTurn = async () => {
      for (const { tenant_id, delivery_id } of due) await this.deliver(tenant_id, delivery_id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
  }

  private inTenant<Row extends object>(tenantId: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.database.transact(async (query) => {
      await query(SEE, [tenantId]);
      return query<Row>(text, values);
    });
  }

  /** @throws if nothing was sent */
  private async send(delivery: Delivery, now: Date): Promise<Outcome> {
    const { tenant_id, notification_id, subscription_id, created_at } = delivery;
    const [row] = await this.database.read(tenant_id, toldOn({ notification_id, subscription_id }));
    const age = now.getTime() - created_at.getTime();
    if (!row || age > LASTS_SECONDS * 1000) return 'dropped';
    const { timezone, silencio_de: de, silencio_ate: ate, zona, push } = row;
    const told = row as Told;
    if (push && !push.includes(groupOf(told.tipo))) return 'dropped';
    const end = de && ate && zona ? quietUntil({ de, ate, zona }, now) : null;
    if (end) return { again: end };
    const rest = this.resting.get(subscription_id);
    if (rest && rest.until > now) return { again: rest.until };
    const words = lockScreenWordsOf(told, { timezone, tenantId: tenant_id });
    const payload = JSON.stringify({ id: notification_id, ...words });
    const { endpoint, p256dh, auth } = this.subscriptions.open(row);
    const { default: webPush } = await import('web-push');
    const subject = `mailto:${/<([^>]+)>$/.exec(this.config.mailFrom)?.[1] ?? this.config.mailFrom}`;
    const vapidDetails = { subject, ...(await this.keys.pair()) };
    let request: RequestDetails;
    try {
      request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails,
        TTL: LASTS_SECONDS,
        urgency: 'normal',
        contentEncoding: 'aes128gcm',
      });
    } catch {
      // The browser's key is not a point of the curve.
      return 'refused';
    }
    return this.post(request, delivery, now);
  }

  private rest(subscriptionId: string, now: Date): void {
    const times = (this.resting.get(subscriptionId)?.times ?? 0) + 1;
    const until = new Date(now.getTime() + Math.min(LONGEST_REST_MS, REST_MS * 2 ** (times - 1)));
    if (this.resting.size >= MOST_RESTING) this.resting.clear();
    this.resting.set(subscriptionId, { times, until });
  }

  private async post(request: RequestDetails, delivery: Delivery, now: Date): Promise<Outcome> {
    const { method, headers, body, endpoint } = request;
    let response: IncomingMessage;
    try {
      response = await requestPublic(new URL(endpoint), {
        method,
        headers,
        body: body ?? undefined,
        signal: AbortSignal.timeout(MOST_MS),
        testOrigin: this.config.pushTestOrigin,
      });
    } catch (error) {
      if (error instanceof AddressRefused) return 'refused';
      this.rest(delivery.subscription_id, now);
      if (NOT_CONNECTED.has((error as NodeJS.ErrnoException).code ?? '')) return later(delivery, now);
      // The message may have arrived, so it is not sent again.
      this.logger.warn({ msg: 'push not answered', deliveryId: delivery.id, error: (error as Error).name });
      return 'sent';
    }
    this.resting.delete(delivery.subscription_id);
    response.destroy();
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return 'sent';
    if (statusCode === 404 || statusCode === 410) return 'gone';
    if (statusCode === 429 || statusCode >= 500)
      return later(delivery, now, Number(response.headers['retry-after']) * 1000);
    this.logger.warn({ msg: 'push refused', deliveryId: delivery.id, statusCode });
    return 'refused';
  }
}

/** After 30 s, 1 min, 2 min … up to half an hour, or what the service asks for. */
function later({ attempts }: Delivery, now: Date, askedMs = 0): Outcome {
  const waitMs = Math.min(LAST_WAIT_MS, Math.max(15_000 * 2 ** attempts, askedMs || 0));
  return { again: new Date(now.getTime() + waitMs) };
}

/** The notification for a browser; no row if it was read, or the browser's session has ended. */
const toldOn = statement(
  (db, { notification_id, subscription_id }: Blanks<{ notification_id: string; subscription_id: string }>) =>
    db
      .selectFrom('notifications as n')
      .innerJoin('tenants as t', 't.tenant_id', 'n.tenant_id')
      .innerJoin('auth.push_subscriptions as p', (join) => join.on('p.id', '=', subscription_id))
      .innerJoin('auth.sessions as a', (join) =>
        join.onRef('a.id', '=', 'p.session_id').on(sql<boolean>`auth.is_live(a)`),
      )
      .innerJoin('memberships as m', (join) =>
        join
          .onRef('m.tenant_id', '=', 'n.tenant_id')
          .onRef('m.user_id', '=', 'p.user_id')
          .on(
            sql<boolean>`case n.para when 'personal' then m.role = 'personal' else m.student_id = n.student_id end`,
          ),
      )
      .leftJoin('notification_settings as c', (join) =>
        join.onRef('c.tenant_id', '=', 'n.tenant_id').onRef('c.user_id', '=', 'p.user_id'),
      )
      .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'n.student_id'))
      .select(['n.tipo', 'n.subject_id', 'n.student_id', 's.nome', 'n.quantidade', 'n.inicio', 'n.antes'])
      .select(['n.valor', 'n.dia', 't.timezone', 'p.endpoint_hash', 'p.sealed'])
      .select(oneOfSeveral.as('de'))
      .select(['c.silencio_de', 'c.silencio_ate', 'c.zona', 'c.push'])
      .where('n.id', '=', notification_id)
      .where('n.lida_em', 'is', null)
      .compile(),
);
