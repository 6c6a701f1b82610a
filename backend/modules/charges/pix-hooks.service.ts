import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { type HookSecrets, validBefore } from './pix-hook.js';

const own = statement((db) =>
  db
    .selectFrom('tenants as t')
    .leftJoin('pix_hooks as h', 'h.tenant_id', 't.tenant_id')
    .select(['t.timezone', 'h.secret_id'])
    .select(sql<HookSecrets['anteriores'] | null>`h.anteriores`.as('anteriores'))
    .compile(),
);

export interface OwnHook {
  /** IANA name. */
  timezone: string;
  segredo: string;
  /** Replaced secrets that are still accepted, the newest first. */
  anteriores: { segredo: string; ate: string }[];
}

/** The webhook address of each tenant. Its secret is derived from the tenant, the secret's id and the master key. */
@Injectable()
export class PixHooks {
  private readonly key: Buffer;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'charges: webhooks', 32));
  }

  urlOf(tenantId: string): string {
    return `${this.config.siteUrl}/pix/v1/${tenantId}`;
  }

  /** Null for an unknown tenant. */
  async find(tenantId: string): Promise<OwnHook | null> {
    const [row] = await this.database.read(tenantId, own({}));
    if (!row) return null;
    const { timezone, secret_id, anteriores } = row;
    const before = validBefore({ secret_id, anteriores: anteriores ?? [] }, this.clock.now());
    return {
      timezone,
      segredo: this.secretOf(tenantId, secret_id),
      anteriores: before.map(({ secret_id: id, ate }) => ({ segredo: this.secretOf(tenantId, id), ate })),
    };
  }

  private secretOf(tenantId: string, secretId: string | null): string {
    const named = secretId === null ? tenantId : `${tenantId}/${secretId}`;
    return createHmac('sha256', this.key).update(named).digest('base64url');
  }
}
