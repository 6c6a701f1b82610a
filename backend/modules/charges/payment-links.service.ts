import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import type { ChargeLink } from './charge.js';

const FIND = `select tenant_id as "tenantId", charge_id as "chargeId", timezone, personal from auth.find_charge($1)`;

/** The charge of a payment link. */
export interface FoundCharge {
  tenantId: string;
  chargeId: string;
  /** IANA name. */
  timezone: string;
  /** The trainer's name. */
  personal: string;
}

/**
 * Links to payment pages. A token is derived from the link's id and the master key, so that a link can be shown again; only
 * its hash is stored, by which the link is found.
 */
@Injectable()
export class PaymentLinks {
  private readonly key: Buffer;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'charges: links', 32));
  }

  fresh(): ChargeLink {
    const link_id = randomUUID();
    return { link_id, token_hash: hash(this.tokenOf(link_id)).toString('hex') };
  }

  urlOf(linkId: string): string {
    return `${this.config.siteUrl}/pagar/${this.tokenOf(linkId)}`;
  }

  /** 192 bits, as 32 characters that fit into an address. */
  private tokenOf(linkId: string): string {
    return createHmac('sha256', this.key).update(linkId).digest().subarray(0, 24).toString('base64url');
  }

  /** @throws Problem 404 for an unknown or replaced link */
  async find(token: string): Promise<FoundCharge> {
    const [charge] = await this.database.lookUp<FoundCharge>(FIND, [hash(token)]);
    if (!charge) throw new Problem('charges.link_not_valid');
    return charge;
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
