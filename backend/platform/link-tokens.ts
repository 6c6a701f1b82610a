import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from './config/env.js';
import { asPrinted, CODE_ALPHABET } from './typed-code.js';

/** Purpose of a link. The same id has a different token for each purpose. */
type Purpose =
  | 'payment'
  | 'calendar-feed'
  | 'student-calendar'
  | 'student-area'
  | 'reminder'
  | 'contract'
  | 'contract-code'
  | 'contract-mailed-code'
  | 'receipt'
  | 'receipt-code';

/** Length of a code: 80 bits. */
const CODE_LENGTH = 16;

/**
 * Tokens of links that work without a sign-in. They are derived from an id and the master key, so that a link can be shown
 * again; only their hash is stored.
 */
@Injectable()
export class LinkTokens {
  private readonly key: Buffer;
  /** Links to payment pages were the first ones; those that were sent keep their tokens. */
  private readonly paymentKey: Buffer;

  constructor({ masterKey }: Config) {
    const keyOf = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', use, 32));
    this.key = keyOf('links: tokens');
    this.paymentKey = keyOf('charges: links');
  }

  /** 192 bits, as 32 characters that an address may contain. */
  tokenOf(purpose: Purpose, id: string): string {
    const hmac =
      purpose === 'payment'
        ? createHmac('sha256', this.paymentKey).update(id)
        : createHmac('sha256', this.key).update(`${purpose}/${id}`);
    return hmac.digest().subarray(0, 24).toString('base64url');
  }

  /** The stored form of the token of an id: SHA-256, in hexadecimal. */
  storedHashOf(purpose: Purpose, id: string): string {
    return hashOf(this.tokenOf(purpose, id)).toString('hex');
  }

  /** A token that a person can type: such as `K7QM-2XWD-9ABC-HJ4P`. */
  codeOf(purpose: Purpose, id: string): string {
    const bytes = hashOf(this.tokenOf(purpose, id)).subarray(0, CODE_LENGTH);
    const characters = Array.from(bytes, (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]!).join('');
    return characters.replace(/.{4}(?=.)/g, '$&-');
  }
}

/** The hash by which a token is looked up. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The hash by which a code is looked up, however it is typed. */
export function codeHash(code: string): Buffer {
  return hashOf(asPrinted(code));
}
