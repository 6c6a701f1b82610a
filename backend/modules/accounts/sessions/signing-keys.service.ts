import type { KeyObject } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { JWK } from 'jose';
import { Database } from '../../../platform/database/database.js';
import { describeError } from '../../../platform/ops/logger.js';
import { Secrets } from '../secrets/secrets.service.js';
import { newSigningKey, privateKeyOf, publicKeyOf, type SigningKeyRow } from './signing-key.js';

interface LoadedRow extends SigningKeyRow {
  is_active: boolean;
}

/**
 * The newest first. One stays while the last token that it signed may be valid: for an hour after the next one became
 * active, and some minutes until every process had noticed.
 */
const KEYS = `select kid, public_jwk, private_key, active_from <= now() as is_active from auth.signing_keys k
  where not exists (select from auth.signing_keys n
    where n.active_from > k.active_from and n.active_from < now() - interval '65 minutes')
  order by active_from desc`;
/** The one that signs now. */
const SIGNS = `select kid from auth.signing_keys where active_from <= now() order by active_from desc limit 1`;
const NEW_KEY = 'insert into auth.signing_keys (kid, public_jwk, private_key) values ($1, $2, $3)';

/** Any constant does: whoever starts first makes the key, the others wait and find it. */
const FIRST_KEY_LOCK = 7_265_646_502;
const RELOAD_MS = 60_000;

/**
 * The key pairs of access tokens (ES256), shared by all processes through the database. Whether a token's key was revoked
 * is looked up with its session.
 */
@Injectable()
export class SigningKeys implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(SigningKeys.name);
  private rows: LoadedRow[] = [];
  private publicKeys: ReadonlyMap<string, KeyObject> = new Map();
  private current_: { kid: string; privateKey: KeyObject } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.reload();
    this.timer = setInterval(() => {
      this.reload().catch((error: unknown) => {
        this.logger.warn({ msg: 'signing keys not reloaded', err: describeError(error) });
      });
    }, RELOAD_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** What new tokens are signed with: asked for each time, so that nothing more is signed with a key that was revoked. */
  async current(): Promise<{ kid: string; privateKey: KeyObject }> {
    const [signs] = await this.database.lookUp<{ kid: string }>(SIGNS, []);
    if (signs?.kid !== this.current_?.kid) await this.reload();
    return this.current_!;
  }

  /** Another process may have made it a moment ago. */
  async find(kid: string): Promise<KeyObject | undefined> {
    if (!this.publicKeys.has(kid)) await this.reload();
    return this.publicKeys.get(kid);
  }

  /** The public halves, as `/.well-known/jwks.json` lists them. */
  get publicJwks(): JWK[] {
    return this.rows.map(({ kid, public_jwk }) => ({
      ...public_jwk,
      kid,
      alg: 'ES256',
      use: 'sig',
      key_ops: ['verify'],
    }));
  }

  /** Looks which keys there are now, and which of them signs. */
  async reload(): Promise<void> {
    const rows = await this.load();
    // None is active where the database's clock was set back.
    const newest = rows.find(({ is_active }) => is_active) ?? rows.at(-1)!;
    if (newest.kid !== this.current_?.kid) {
      this.current_ = { kid: newest.kid, privateKey: privateKeyOf(newest, this.secrets) };
    }
    this.publicKeys = new Map(rows.map((row) => [row.kid, publicKeyOf(row)]));
    this.rows = rows;
  }

  private async load(): Promise<LoadedRow[]> {
    const found = await this.database.lookUp<LoadedRow>(KEYS, []);
    if (found.length > 0) return found;
    return this.database.transact(async (query) => {
      await query('select pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      const made = await query<LoadedRow>(KEYS, []);
      if (made.length > 0) return made;
      const key = await newSigningKey(this.secrets);
      await query(NEW_KEY, [key.kid, key.public_jwk, key.private_key]);
      return [{ ...key, is_active: true }];
    });
  }
}
