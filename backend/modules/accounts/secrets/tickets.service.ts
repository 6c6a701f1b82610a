import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';

/** Purpose of a ticket. The same id has a different ticket for each purpose. */
type Purpose = 'mail' | 'code' | 'invite' | 'state' | 'newcomer';

const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;

/**
 * Secrets that are sent once: links in mails, codes of six digits, codes in addresses. They are derived from the id of a row and
 * the master key, so that they are not stored and a copy of the database does not reveal them.
 */
@Injectable()
export class Tickets {
  private readonly key: Buffer;

  constructor({ masterKey }: Config) {
    this.key = Buffer.from(hkdfSync('sha256', masterKey, '', 'accounts: tickets', 32));
  }

  /** The id with a signature of 128 bits, as 43 characters that fit into an address. */
  ticket(purpose: Purpose, id: string): string {
    return Buffer.concat([bytesOf(id), this.signature(purpose, id)]).toString('base64url');
  }

  /** The id in a ticket of ours; null for anything else. */
  read(purpose: Purpose, ticket: string): string | null {
    const bytes = Buffer.from(ticket, 'base64url');
    if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return null;
    const id = bytes
      .toString('hex', 0, ID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return timingSafeEqual(this.signature(purpose, id), bytes.subarray(ID_BYTES)) ? id : null;
  }

  /** A code of six digits, to be typed from a mail. */
  digits(id: string): string {
    return String(this.derive('digits', id).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
  }

  isDigitsOf(id: string, typed: string): boolean {
    const [right, given] = [Buffer.from(this.digits(id)), Buffer.from(typed)];
    return right.length === given.length && timingSafeEqual(right, given);
  }

  /** 256 bits derived from an id, as 43 characters: the verifier or the nonce of a provider flow, or a passkey's challenge. */
  secret(purpose: 'nonce' | 'verifier' | 'challenge', id: string): string {
    return this.derive(purpose, id).toString('base64url');
  }

  private signature(purpose: Purpose, id: string): Buffer {
    return this.derive(purpose, id).subarray(0, SIGNATURE_BYTES);
  }

  private derive(purpose: string, id: string): Buffer {
    return createHmac('sha256', this.key).update(`${purpose}/${id}`).digest();
  }
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
