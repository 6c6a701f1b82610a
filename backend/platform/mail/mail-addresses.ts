import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/env.js';

const ID_BYTES = 16;
const HASH_BYTES = 16;
const SIGNATURE_BYTES = 16;
/** Their mailboxes are the same, with and without dots. */
const GMAIL = new Set(['gmail.com', 'googlemail.com']);
const FIXED_BYTES = 2 * ID_BYTES + HASH_BYTES + SIGNATURE_BYTES;

/** One form for all spellings of an address that reach the same mailbox: only for comparing, never for sending. */
export function mailboxOf(address: string): string {
  const written = address.trim().toLowerCase();
  const at = written.lastIndexOf('@');
  const domain = written.slice(at + 1);
  const name = written.slice(0, at).replace(/(?<=.)\+.*$/s, '');
  return GMAIL.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** The stored form of an address. */
export type AddressHash = (address: string) => Buffer;

/** What the link at the foot of a mail is about. */
export interface StopLink {
  tenantId: string;
  personId: string;
  addressHash: Buffer;
  /** The kind of mails. */
  kind: string;
}

/** Keyed hashes of addresses, and the links by which their owners end mails. Nothing of a link is stored, so it never expires. */
@Injectable()
export class MailAddresses {
  private readonly key: Buffer;

  constructor({ masterKey }: Config) {
    this.key = Buffer.from(hkdfSync('sha256', masterKey, '', 'mail: addresses', 32));
  }

  readonly hashOf: AddressHash = (address) =>
    this.derive('address', Buffer.from(mailboxOf(address))).subarray(0, HASH_BYTES);

  tokenOf({ tenantId, personId, addressHash, kind }: StopLink): string {
    const told = Buffer.concat([bytesOf(tenantId), bytesOf(personId), addressHash, Buffer.from(kind)]);
    return Buffer.concat([this.signature(told), told]).toString('base64url');
  }

  /** Null for a token that is not ours. */
  read(token: string): StopLink | null {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= FIXED_BYTES || bytes.toString('base64url') !== token) return null;
    const told = bytes.subarray(SIGNATURE_BYTES);
    if (!timingSafeEqual(this.signature(told), bytes.subarray(0, SIGNATURE_BYTES))) return null;
    return {
      tenantId: idOf(told.subarray(0, ID_BYTES)),
      personId: idOf(told.subarray(ID_BYTES, 2 * ID_BYTES)),
      addressHash: told.subarray(2 * ID_BYTES, 2 * ID_BYTES + HASH_BYTES),
      kind: told.toString('utf8', 2 * ID_BYTES + HASH_BYTES),
    };
  }

  private signature(told: Buffer): Buffer {
    return this.derive('link', told).subarray(0, SIGNATURE_BYTES);
  }

  private derive(purpose: string, bytes: Buffer): Buffer {
    return createHmac('sha256', this.key).update(`${purpose}/`).update(bytes).digest();
  }
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
