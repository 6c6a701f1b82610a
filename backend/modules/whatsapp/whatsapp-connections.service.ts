import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { WhatsAppHook } from './whatsapp.api.js';
import { whatsAppConnection, type WhatsAppState } from './whatsapp-connection.js';

const zone = statement((db) => db.selectFrom('tenants').select('timezone').compile());

class LookAtWhatsApp {
  constructor(readonly context: CommandContext) {}
}

/** The connection of each tenant, with what lets us in, which is only in the log; and the address for Meta's reports. */
@Injectable()
export class WhatsAppConnections {
  private readonly key: Buffer;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly store: EventStore,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'whatsapp: webhooks', 32));
  }

  /** Null for an unknown tenant. */
  async find(
    tenantId: string,
    requestId: string,
  ): Promise<{ state: WhatsAppState; timezone: string } | null> {
    const [tenant] = await this.database.read(tenantId, zone({}));
    if (!tenant) return null;
    const { timezone } = tenant;
    let state: WhatsAppState = whatsAppConnection.initialState;
    await this.store.transact(new LookAtWhatsApp(nobodyOf(tenantId, timezone, requestId)), async (tx) => {
      state = await tx.load(whatsAppConnection, tenantId);
      return { id: tenantId };
    });
    return { state, timezone };
  }

  /** The text by which Meta shows that it asks for the trainer who registered the address: derived, so nothing is stored. */
  hookOf(tenantId: string): WhatsAppHook {
    const verificacao = createHmac('sha256', this.key).update(tenantId).digest('base64url');
    return { url: `${this.config.siteUrl}/whatsapp/v1/${tenantId}`, verificacao };
  }
}
