import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { receiptPath } from '../finance/receipt-address.js';
import { codeHash, hashOf, LinkTokens } from '../../platform/link-tokens.js';

const FIND = `select tenant_id as "tenantId", transaction_id as "transactionId", timezone from auth.find_receipt_link($1)`;
const FIND_CODE = `select tenant_id as "tenantId", transaction_id as "transactionId", timezone from auth.find_receipt_code($1)`;

/** The receipt of a link or code. */
export interface FoundReceipt {
  tenantId: string;
  transactionId: string;
  timezone: string;
}

/** Links that open receipts, and codes that verify them. Only hashes of both are stored. */
@Injectable()
export class ReceiptLinks {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly tokens: LinkTokens,
  ) {}

  /** The stored hashes of link and code. */
  hashesOf(transactionId: string) {
    return {
      token_hash: this.tokens.storedHashOf('receipt', transactionId),
      codigo_hash: codeHash(this.codeOf(transactionId)).toString('hex'),
    };
  }

  pathOf(transactionId: string): string {
    return receiptPath(this.tokens, transactionId);
  }

  urlOf(transactionId: string): string {
    return this.config.siteUrl + this.pathOf(transactionId);
  }

  /** Begins with a letter that distinguishes it from a contract's code. */
  codeOf(transactionId: string): string {
    return `R-${this.tokens.codeOf('receipt-code', transactionId)}`;
  }

  verificationUrlOf(transactionId: string): string {
    return `${this.config.siteUrl}/verificar/${this.codeOf(transactionId)}`;
  }

  /** @throws Problem 404 for an unknown link */
  async find(token: string): Promise<FoundReceipt> {
    const [found] = await this.database.lookUp<FoundReceipt>(FIND, [hashOf(token)]);
    if (!found) throw new Problem('receipts.link_not_valid');
    return found;
  }

  /** Accepts a code in any typed form. @throws Problem 404 for an unknown code */
  async findCode(code: string): Promise<FoundReceipt> {
    const [found] = await this.database.lookUp<FoundReceipt>(FIND_CODE, [codeHash(code)]);
    if (!found) throw new Problem('receipts.code_not_found');
    return found;
  }
}
