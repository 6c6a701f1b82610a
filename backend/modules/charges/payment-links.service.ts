import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { hashOf, LinkTokens } from '../../platform/link-tokens.js';
import { paymentUrl } from './payment-url.queries.js';

const FIND = `select tenant_id as "tenantId", charge_id as "chargeId", timezone, personal from auth.find_charge($1)`;

const FIND_PAYER = `select tenant_id as "tenantId", payer_id as "payerId", timezone, personal from auth.find_payer($1)`;

/** The charge of a payment link, or the payer for what is owed in all. */
export type FoundPayment = Found &
  ({ chargeId: string; payerId?: never } | { chargeId?: never; payerId: string });

interface Found {
  tenantId: string;
  /** IANA name. */
  timezone: string;
  /** The trainer's name. */
  personal: string;
}

/** Links to payment pages. */
@Injectable()
export class PaymentLinks {
  constructor(
    private readonly config: Config,
    private readonly tokens: LinkTokens,
    private readonly database: Database,
  ) {}

  urlOf(linkId: string): string {
    return paymentUrl(this.config, this.tokens, linkId);
  }

  /** @throws Problem 404 for an unknown or replaced link */
  async find(token: string): Promise<FoundPayment> {
    const hash = [hashOf(token)];
    const [charge] = await this.database.lookUp<FoundPayment & Record<string, unknown>>(FIND, hash);
    const [payer] = charge
      ? []
      : await this.database.lookUp<FoundPayment & Record<string, unknown>>(FIND_PAYER, hash);
    const found = charge ?? payer;
    if (!found) throw new Problem('charges.link_not_valid');
    return found;
  }
}
