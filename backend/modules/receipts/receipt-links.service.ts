import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { codeHash, hashOf, LinkTokens } from '../../platform/link-tokens.js';

const FIND = `select tenant_id as "tenantId", transaction_id as "transactionId", timezone from auth.find_receipt_link($1)`;
const FIND_CODE = `select tenant_id as "tenantId", transaction_id as "transactionId", timezone from auth.find_receipt_code($1)`;

/** Where a receipt's link or code leads. */
export interface FoundReceipt {
  tenantId: string;
  transactionId: string;
  timezone: string;
}

/** Addresses under which receipts are opened, and codes under which they are verified. Stored of both are hashes. */
@Injectable()
export class ReceiptLinks {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly tokens: LinkTokens,
  ) {}

  /** What is stored of link and code. */
  hashesOf(transactionId: string) {
    return {
      token_hash: this.tokens.storedHashOf('receipt', transactionId),
      codigo_hash: codeHash(this.codeOf(transactionId)).toString('hex'),
    };
  }

  urlOf(transactionId: string): string {
    return `${this.config.siteUrl}/recibo/${this.tokens.tokenOf('receipt', transactionId)}.pdf`;
  }

  /** Its first letter tells it from a contract's. */
  codeOf(transactionId: string): string {
    return `R-${this.tokens.codeOf('receipt-code', transactionId)}`;
  }

  verificationUrlOf(transactionId: string): string {
    return `${this.config.siteUrl}/verificar/${this.codeOf(transactionId)}`;
  }

  /** @throws Problem 404 for a link that nobody made */
  async find(token: string): Promise<FoundReceipt> {
    const [found] = await this.database.lookUp<FoundReceipt>(FIND, [hashOf(token)]);
    if (!found) throw new Problem('receipts.link_not_valid');
    return found;
  }

  /** However it was typed. @throws Problem 404 for a code that no receipt has */
  async findCode(code: string): Promise<FoundReceipt> {
    const [found] = await this.database.lookUp<FoundReceipt>(FIND_CODE, [codeHash(code)]);
    if (!found) throw new Problem('receipts.code_not_found');
    return found;
  }
}
