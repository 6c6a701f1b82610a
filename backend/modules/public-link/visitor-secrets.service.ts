import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';

/** How many students made by visitors may have had one phone: it may have changed hands, or a person have been forgotten. */
const STUDENTS_OF_A_PHONE = 8;

/** What follows from the master key, so that a copy of the database opens no visitor's link. */
@Injectable()
export class VisitorSecrets {
  private readonly key: Buffer;
  /** For proofs of work. */
  readonly proofKey: string;

  constructor({ masterKey }: Config) {
    this.key = Buffer.from(hkdfSync('sha256', masterKey, '', 'public-link: visitors', 32));
    this.proofKey = this.derive('proof').toString('hex');
  }

  /** The secret of a private link, of a booking or of who waits: 256 bits, as 43 characters. */
  tokenOf(id: string, purpose: 'visit' | 'wait' = 'visit'): string {
    return this.derive(`${purpose}/${id}`).toString('base64url');
  }

  hashOf(token: string): Buffer {
    return createHash('sha256').update(token).digest();
  }

  /**
   * Ids of the students that visitors with this phone become, in turn: two bookings at once find the same student, and no id
   * tells the phone.
   */
  studentIds(tenantId: string, phone: string): string[] {
    return Array.from({ length: STUDENTS_OF_A_PHONE }, (_, n) => {
      const bytes = this.derive(`student/${tenantId}/${phone}/${n}`).subarray(0, 16);
      // RFC 9562, version 8.
      bytes[6] = (bytes[6]! & 0x0f) | 0x80;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    });
  }

  /** A key for counting: nobody without the master key gets the phone from it. */
  phoneKey(tenantId: string, phone: string): string {
    return this.derive(`phone/${tenantId}/${phone}`).toString('base64url').slice(0, 22);
  }

  /** The same for an e-mail address, whichever trainer it was given to. */
  addressKey(address: string): string {
    return this.derive(`mail/${address}`).toString('base64url').slice(0, 22);
  }

  private derive(purpose: string): Buffer {
    return createHmac('sha256', this.key).update(purpose).digest();
  }
}
