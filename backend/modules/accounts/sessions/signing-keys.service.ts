import type { KeyObject } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { JWK } from 'jose';
import { Database } from '../../../platform/database/database.js';
import { ErrorTrap } from '../../../platform/ops/error-trap.js';
import { Secrets } from '../secrets/secrets.service.js';
import { newSigningKey, openSigningKey, type OpenSigningKey, type SigningKeyRow } from './signing-key.js';

interface LoadedRow extends SigningKeyRow {
  is_active: boolean;
}

/**
 * Newest first. A key is kept while tokens that it signed may be valid: for an hour after the next one became active, plus some
 * minutes until every process has reloaded.
 */
const KEYS = `select kid, public_jwk, private_key, active_from <= now() as is_active from auth.signing_keys k
  where not exists (select from auth.signing_keys n
    where n.active_from > k.active_from and n.active_from < now() - interval '65 minutes')
  order by active_from desc`;
/** The current signing key. */
const SIGNS = `select kid from auth.signing_keys where active_from <= now() order by active_from desc limit 1`;
/** Does nothing if there is a key. */
const FIRST_KEY = 'select auth.add_first_signing_key($1, $2, $3)';

const RELOAD_MS = 60_000;

/**
 * The key pairs of access tokens (ES256), shared by all processes through the database. Only keys that
 * were encrypted with the master key are accepted: the application's role cannot write this table, and a row that was written
 * without the master key is ignored. Whether a token's key was revoked is looked up with its session.
 */
@Injectable()
export class SigningKeys implements OnModuleInit, OnApplicationShutdown {
  /** By key id, newest first. */
  private keys: ReadonlyMap<string, OpenSigningKey> = new Map();
  private current_: OpenSigningKey | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly trap: ErrorTrap,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.reload();
    this.timer = setInterval(() => {
      this.reload().catch((error: unknown) => this.trap.failed('timer', 'signing keys not reloaded', error));
    }, RELOAD_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The key that signs new tokens. Read for each token, so that a revoked key signs nothing more. */
  async current(): Promise<OpenSigningKey> {
    const [signs] = await this.database.lookUp<{ kid: string }>(SIGNS, []);
    if (signs?.kid !== this.current_?.kid) await this.reload();
    return this.current_!;
  }

  /** The public key; reloads the keys if it is unknown, since another process may have just made it. */
  async find(kid: string): Promise<KeyObject | undefined> {
    if (!this.keys.has(kid)) await this.reload();
    return this.keys.get(kid)?.publicKey;
  }

  /** The public halves, as `/.well-known/jwks.json` lists them. */
  get publicJwks(): JWK[] {
    return [...this.keys.values()].map(({ kid, publicKey }) => ({
      ...(publicKey.export({ format: 'jwk' }) as JWK),
      kid,
      alg: 'ES256',
      use: 'sig',
      key_ops: ['verify'],
    }));
  }

  /**
   * Reads all keys, and which of them signs.
   * @throws if one was not encrypted with this master key
   */
  async reload(): Promise<void> {
    const rows = await this.load();
    this.keys = new Map(rows.map((row) => [row.kid, openSigningKey(row, this.secrets)]));
    // No key is active if the database's clock was set back.
    const newest = rows.find(({ is_active }) => is_active) ?? rows.at(-1)!;
    this.current_ = this.keys.get(newest.kid);
  }

  private async load(): Promise<LoadedRow[]> {
    const found = await this.database.lookUp<LoadedRow>(KEYS, []);
    if (found.length > 0) return found;
    const { kid, public_jwk, private_key } = await newSigningKey(this.secrets);
    await this.database.query(FIRST_KEY, [kid, public_jwk, private_key]);
    return this.database.lookUp<LoadedRow>(KEYS, []);
  }
}
