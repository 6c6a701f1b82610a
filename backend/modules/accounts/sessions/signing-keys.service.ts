import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { Database } from '../../../platform/database/database.js';
import { Secrets } from '../secrets/secrets.service.js';

interface KeyRow {
  kid: string;
  public_jwk: JWK;
  private_key: Buffer;
}

/** The newest first. */
const KEYS = 'select kid, public_jwk, private_key from auth.signing_keys order by created_at desc';
const NEW_KEY = 'insert into auth.signing_keys (kid, public_jwk, private_key) values ($1, $2, $3)';

/** Any constant does: whoever starts first makes the key, the others wait and find it. */
const FIRST_KEY_LOCK = 7_265_646_502;

/** The key pairs of access tokens (ES256), shared by all processes through the database. */
@Injectable()
export class SigningKeys implements OnModuleInit {
  private rows: KeyRow[] = [];
  private readonly publicKeys = new Map<string, KeyObject>();
  private current_: { kid: string; privateKey: KeyObject } | undefined;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  async onModuleInit(): Promise<void> {
    this.rows = await this.load();
    for (const { kid, public_jwk } of this.rows) {
      this.publicKeys.set(
        kid,
        createPublicKey({ key: public_jwk as Record<string, unknown>, format: 'jwk' }),
      );
    }
    const newest = this.rows[0]!;
    const der = this.secrets.open(newest.private_key, newest.kid);
    this.current_ = {
      kid: newest.kid,
      privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    };
  }

  /** What new tokens are signed with. */
  get current(): { kid: string; privateKey: KeyObject } {
    return this.current_!;
  }

  find(kid: string): KeyObject | undefined {
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

  private async load(): Promise<KeyRow[]> {
    const found = await this.database.lookUp<KeyRow>(KEYS, []);
    if (found.length > 0) return found;
    return this.database.transact(async (query) => {
      await query('select pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      const made = await query<KeyRow>(KEYS, []);
      if (made.length > 0) return made;
      const key = await this.newKey();
      await query(NEW_KEY, [key.kid, key.public_jwk, key.private_key]);
      return [key];
    });
  }

  private async newKey(): Promise<KeyRow> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const public_jwk = publicKey.export({ format: 'jwk' }) as JWK;
    const kid = await calculateJwkThumbprint(public_jwk);
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    return { kid, public_jwk, private_key: this.secrets.seal(der, kid) };
  }
}
