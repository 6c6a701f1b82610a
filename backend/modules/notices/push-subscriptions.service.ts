import { createHash, hkdfSync, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { open, seal } from '../../platform/event-store/personal-data.js';
import { Problem } from '../../platform/http/problem.js';
import { refuseUnlessPublic } from '../../platform/outgoing/public-request.js';
import type { PushSubscriptionBody } from './push.api.js';

/** Maximum of browsers per user; beyond it, the one that was seen longest ago is deleted. */
const MOST = 10;

const KEEP = `insert into auth.push_subscriptions (id, user_id, session_id, endpoint_hash, sealed)
  values ($1, $2, $3, $4, $5)
  on conflict (endpoint_hash) do update
    set user_id = excluded.user_id, session_id = excluded.session_id, sealed = excluded.sealed, seen_at = now()
  returning id`;
const MAKE_ROOM = `delete from auth.push_subscriptions where user_id = $1 and id not in
  (select id from auth.push_subscriptions where user_id = $1 order by seen_at desc, id limit ${MOST})`;
const REMOVE = 'delete from auth.push_subscriptions where user_id = $1 and endpoint_hash = $2';

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest();

/** Browsers to which users' notifications are pushed. */
@Injectable()
export class PushSubscriptions {
  private readonly sealingKey: Buffer;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {
    this.sealingKey = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'push: subscriptions', 32));
  }

  /**
   * Stores a browser's subscription, which belongs to the last user who subscribed, as long as the session lasts.
   * @throws Problem 422 for an address that is not allowed
   */
  async keep(userId: string, sessionId: string, subscription: PushSubscriptionBody): Promise<string> {
    const url = new URL(subscription.endpoint);
    if (url.origin !== this.config.pushTestOrigin) refuse(url);
    const hash = hashOf(subscription.endpoint);
    const sealed = seal(this.sealingKey, Buffer.from(JSON.stringify(subscription)), hash.toString('hex'));
    return this.database.transact(async (query) => {
      const [row] = await query<{ id: string }>(KEEP, [randomUUID(), userId, sessionId, hash, sealed]);
      await query(MAKE_ROOM, [userId]);
      return row!.id;
    });
  }

  async remove(userId: string, endpoint: string): Promise<void> {
    await this.database.query(REMOVE, [userId, hashOf(endpoint)]);
  }

  open({ endpoint_hash, sealed }: { endpoint_hash: Buffer; sealed: Buffer }): PushSubscriptionBody {
    const plain = open(this.sealingKey, sealed, endpoint_hash.toString('hex'));
    return JSON.parse(plain.toString('utf8')) as PushSubscriptionBody;
  }
}

function refuse(url: URL): void {
  try {
    refuseUnlessPublic(url);
  } catch (error) {
    throw new Problem('notifications.endpoint_refused', { cause: error });
  }
}
