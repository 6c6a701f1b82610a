import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { mailboxOf } from '../../platform/mail/mail-addresses.js';
import { searchable } from '../../platform/searchable.api.js';

/** The most students registered by visitors under one phone and name: a number may change hands, and a person be forgotten. */
const STUDENTS_OF_A_NAME = 8;

/** Secrets derived from the master key, so that a copy of the database contains no visitor's link. */
@Injectable()
export class VisitorSecrets {
  private readonly key: Buffer;
  /** Signs the challenges. */
  readonly proofKey: string;

  constructor({ masterKey }: Config) {
    this.key = Buffer.from(hkdfSync('sha256', masterKey, '', 'public-link: visitors', 32));
    this.proofKey = this.derive('proof').toString('hex');
  }

  /** Token of a private link, of a booking or a waitlist entry: 256 bits as 43 characters. */
  tokenOf(id: string, purpose: 'visit' | 'wait' = 'visit'): string {
    return this.derive(`${purpose}/${id}`).toString('base64url');
  }

  hashOf(token: string): Buffer {
    return createHash('sha256').update(token).digest();
  }

  /**
   * Ids for the students that visitors with this phone and name are registered as, in order: concurrent bookings get the same
   * student, and an id reveals neither.
   */
  studentIds(tenantId: string, { whatsapp, nome }: { whatsapp: string; nome: string }): string[] {
    return Array.from({ length: STUDENTS_OF_A_NAME }, (_, n) => {
      const bytes = this.derive(`student/${tenantId}/${whatsapp}/${n}/${searchable(nome)}`).subarray(0, 16);
      // RFC 9562, version 8.
      bytes[6] = (bytes[6]! & 0x0f) | 0x80;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    });
  }

  /** A key for counting: without the master key, nobody can derive the phone from it. */
  phoneKey(tenantId: string, phone: string): string {
    return this.derive(`phone/${tenantId}/${phone}`).toString('base64url').slice(0, 22);
  }

  /** The same for an e-mail address, over all trainers. */
  addressKey(address: string): string {
    return this.derive(`mail/${mailboxOf(address)}`)
      .toString('base64url')
      .slice(0, 22);
  }

  private derive(purpose: string): Buffer {
    return createHmac('sha256', this.key).update(purpose).digest();
  }
}
