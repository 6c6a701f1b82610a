import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { namedId } from '../../platform/derived-id.js';

/** Ids of bank lines, derived with a secret key, so that account and payer in a line's key cannot be guessed from its id. */
@Injectable()
export class LineIds {
  private readonly key: Buffer;

  constructor({ masterKey }: Config) {
    this.key = Buffer.from(hkdfSync('sha256', masterKey, '', 'bank-lines: ids', 32));
  }

  idOf(tenantId: string, chave: string): string {
    return namedId(createHmac('sha256', this.key).update(`${tenantId}/${chave}`).digest('hex'));
  }
}
