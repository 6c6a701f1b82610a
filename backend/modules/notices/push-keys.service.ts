import { createECDH, hkdfSync } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { open, seal } from '../../platform/event-store/personal-data.js';

const STORED = 'select sealed_key from vapid_key';
/** Does nothing if another process has just made a key. */
const FIRST = 'insert into vapid_key (sealed_key) values ($1) on conflict do nothing';
const CONTEXT = 'vapid_key';

interface PushKeyPair {
  publicKey: string;
  privateKey: string;
}

/** This instance's key for push services (VAPID, RFC 8292): configured, or made at the first start and stored encrypted. */
@Injectable()
export class PushKeys implements OnApplicationBootstrap {
  private readonly logger = new Logger(PushKeys.name);
  private readonly sealingKey: Buffer;
  private known: Promise<PushKeyPair> | undefined;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {
    this.sealingKey = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'push: keys', 32));
  }

  /** If this fails, the key is made with the first notification. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.roles.has('worker')) return;
    await this.pair().catch((error: unknown) => {
      this.logger.error(new Error('The key for notifications could not be made', { cause: error }));
    });
  }

  pair(): Promise<PushKeyPair> {
    this.known ??= this.find().catch((error: unknown) => {
      this.known = undefined;
      throw error;
    });
    return this.known;
  }

  private async find(): Promise<PushKeyPair> {
    const { vapidPrivateKey } = this.config;
    if (vapidPrivateKey !== undefined) return pairOf(Buffer.from(vapidPrivateKey, 'base64url'));
    return pairOf((await this.stored()) ?? (await this.first()));
  }

  private async stored(): Promise<Buffer | undefined> {
    const [row] = await this.database.query<{ sealed_key: Buffer }>(STORED, []);
    return row && open(this.sealingKey, row.sealed_key, CONTEXT);
  }

  private async first(): Promise<Buffer> {
    const { default: webPush } = await import('web-push');
    const key = Buffer.from(webPush.generateVAPIDKeys().privateKey, 'base64url');
    await this.database.query(FIRST, [seal(this.sealingKey, key, CONTEXT)]);
    return (await this.stored())!;
  }
}

function pairOf(key: Buffer): PushKeyPair {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(key);
  return { publicKey: curve.getPublicKey('base64url'), privateKey: key.toString('base64url') };
}
