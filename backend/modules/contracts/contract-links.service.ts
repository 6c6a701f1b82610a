import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { codeHash, hashOf, LinkTokens } from '../../platform/link-tokens.js';

const FIND = `select tenant_id as "tenantId", request_id as "requestId", contract_id as "contractId",
  student_id as "studentId", timezone from auth.find_contract_link($1)`;
const FIND_CODE = `select tenant_id as "tenantId", request_id as "requestId", timezone from auth.find_contract_code($1)`;

const FIND_FILE = `select tenant_id as "tenantId", id as "requestId", timezone from auth.find_kept_file($1)`;

export type Found = Pick<FoundLink, 'tenantId' | 'requestId' | 'timezone'>;

/** The request that a signing link points to. */
export interface FoundLink {
  tenantId: string;
  requestId: string;
  contractId: string;
  studentId: string;
  timezone: string;
}

/** Tokens of signing links and codes that verify a signature. Only their hashes are stored. */
@Injectable()
export class ContractLinks {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly tokens: LinkTokens,
  ) {}

  urlOf(requestId: string): string {
    return `${this.config.siteUrl}${this.pathOf(requestId)}`;
  }

  pathOf(requestId: string): string {
    return `/assinar/${this.tokens.tokenOf('contract', requestId)}`;
  }

  tokenHashOf(requestId: string): string {
    return this.tokens.storedHashOf('contract', requestId);
  }

  /** Such as `K7QM-2XWD-9ABC-HJ4P`. */
  codeOf(requestId: string): string {
    return this.tokens.codeOf('contract-code', requestId);
  }

  /** The six-digit code with this number that was mailed for a request. */
  mailedCodeOf(requestId: string, numero: number): string {
    const hash = hashOf(this.tokens.tokenOf('contract-mailed-code', `${requestId}/${numero}`));
    return String(hash.readUInt32BE() % 1_000_000).padStart(6, '0');
  }

  verificationUrlOf(requestId: string): string {
    return `${this.config.siteUrl}/verificar/${this.codeOf(requestId)}`;
  }

  /** The secrets of a request, derived from the master key, that its commands need. */
  secretsOf(requestId: string) {
    return {
      codigo_hash: codeHash(this.codeOf(requestId)).toString('hex'),
      codeOf: (numero: number) => this.mailedCodeOf(requestId, numero),
    };
  }

  /** @throws Problem 404 for an unknown token */
  async find(token: string): Promise<FoundLink> {
    const [link] = await this.database.lookUp<FoundLink>(FIND, [hashOf(token)]);
    if (!link) throw new Problem('contracts.request_not_found');
    return link;
  }

  /** @throws Problem 404 for a file that is not a signed copy */
  async findFile(sha256: string): Promise<Found> {
    const [found] = await this.database.lookUp<Found>(FIND_FILE, [Buffer.from(sha256, 'hex')]);
    if (!found) throw new Problem('contracts.code_not_found');
    return found;
  }

  /** Accepts the code however it was typed. @throws Problem 404 for an unknown code */
  async findCode(code: string): Promise<Found> {
    const [found] = await this.database.lookUp<Found>(FIND_CODE, [codeHash(code)]);
    if (!found) throw new Problem('contracts.code_not_found');
    return found;
  }
}
