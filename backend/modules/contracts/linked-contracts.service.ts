import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { ReadYourWrites } from '../../platform/http/read-your-writes.js';
import { dateOf } from '../../platform/local-time.js';
import { ContractLinks, type FoundLink } from './contract-links.service.js';
import type { Signable } from './contracts.api.js';
import { Signables } from './signature-requests.queries.js';
import { signingPage } from './signing-page.html.js';

const head = statement((db) => db.selectFrom('tenant_log').select('position').compile());

/** A contract as the holder of its link reads it. */
@Injectable()
export class LinkedContracts {
  constructor(
    private readonly signables: Signables,
    private readonly links: ContractLinks,
    private readonly database: Database,
    private readonly readYourWrites: ReadYourWrites,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async read(token: string): Promise<{ link: FoundLink; contract: Signable }> {
    const link = await this.links.find(token);
    await this.catchUp(link);
    return { link, contract: await this.show(link, null) };
  }

  show(link: FoundLink, cpf: string | null): Promise<Signable> {
    return this.signables.show(link, link.requestId, { cpf });
  }

  pageOf(contract: Signable, token: string, { timezone }: FoundLink): string {
    const { siteUrl } = this.config;
    return signingPage({ contract, token, timezone, today: dateOf(this.clock.now(), timezone), siteUrl });
  }

  /** A signer by link has no position to wait for, so this waits for the current head of the log. */
  async catchUp({ tenantId }: FoundLink): Promise<boolean> {
    const [log] = await this.database.read(tenantId, head({}));
    return !log || this.readYourWrites.wait(tenantId, log.position);
  }
}
