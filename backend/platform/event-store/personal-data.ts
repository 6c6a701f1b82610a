import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/env.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Marks a stored text as ciphertext and names its format. */
const PREFIX = 'aes1:';

/** Encrypts; `context` names the place of the value, and decrypting it in another place fails. */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** @throws if key, bytes or context differ from those of `seal` */
export function open(key: Buffer, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/**
 * Keys of persons, wrapped with the master key (RENDE_MASTER_KEY, 32 bytes). Destroying a person's wrapped key makes
 * every text about that person unreadable without changing a stored event. AES-256-GCM; the additional data binds a key
 * to its person and a value to its event and field, so neither can be moved elsewhere.
 */
@Injectable()
export class PersonalData {
  private readonly masterKey: Buffer;

  constructor({ masterKey }: Config) {
    this.masterKey = masterKey;
  }

  newKey(): Buffer {
    return randomBytes(KEY_BYTES);
  }

  wrap(key: Buffer, tenantId: string, personId: string): Buffer {
    return seal(this.masterKey, key, `${tenantId}/${personId}`);
  }

  unwrap(wrapped: Buffer, tenantId: string, personId: string): Buffer {
    return open(this.masterKey, wrapped, `${tenantId}/${personId}`);
  }

  /** JSON value → stored text. */
  encrypt(key: Buffer, value: unknown, context: string): string {
    return PREFIX + seal(key, Buffer.from(JSON.stringify(value)), context).toString('base64');
  }

  /** Stored text → JSON value. */
  decrypt(key: Buffer, stored: string, context: string): unknown {
    return JSON.parse(
      open(key, Buffer.from(stored.slice(PREFIX.length), 'base64'), context).toString('utf8'),
    );
  }
}
