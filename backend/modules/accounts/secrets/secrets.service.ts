import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { derivedId } from '../../../platform/derived-id.js';
import { fingerprintKeyOf, sealingKeyOf } from '../../../platform/event-store/master-key.js';
import { open, seal } from '../../../platform/event-store/personal-data.js';

/** Encrypts fields of accounts, so that a copy of the database does not reveal them. */
@Injectable()
export class Secrets {
  private readonly sealingKey: Buffer;
  private readonly fingerprintKey: Buffer;

  constructor(config: Config) {
    this.sealingKey = sealingKeyOf(config.masterKey);
    this.fingerprintKey = fingerprintKeyOf(config.masterKey);
  }

  /** Encrypts; `context` names the row, so that the ciphertext cannot be decrypted in another row. */
  seal(plain: Buffer, context: string): Buffer {
    return seal(this.sealingKey, plain, context);
  }

  /** @throws if key, context or bytes differ from those of `seal` */
  open(sealed: Buffer, context: string): Buffer {
    return open(this.sealingKey, sealed, context);
  }

  /** The same id for equal texts. */
  idOf(text: string): string {
    return derivedId(this.fingerprint(text).toString('hex'));
  }

  /** A keyed hash: equal for equal texts. Without the master key texts cannot be tried, however few are possible. */
  fingerprint(text: string): Buffer {
    return createHmac('sha256', this.fingerprintKey).update(text).digest();
  }
}
