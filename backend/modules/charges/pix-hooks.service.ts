import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';

const own = statement((db) => db.selectFrom('tenants').select('timezone').compile());

/** Where each trainer's provider tells of payments. The secret follows from the tenant and the master key. */
@Injectable()
export class PixHooks {
  private readonly key: Buffer;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'charges: webhooks', 32));
  }

  urlOf(tenantId: string): string {
    return `${this.config.siteUrl}/pix/v1/${tenantId}`;
  }

  secretOf(tenantId: string): string {
    return createHmac('sha256', this.key).update(tenantId).digest('base64url');
  }

  /** IANA name; null for a tenant that is none. */
  async zoneOf(tenantId: string): Promise<string | null> {
    const [row] = await this.database.read(tenantId, own({}));
    return row?.timezone ?? null;
  }
}
