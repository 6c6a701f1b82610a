import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { type AdvisorSharing, defaultSharing, type ShownSharing } from './sharing.api.js';

export class ShowAdvisorSharing extends Query<ShownSharing> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ShowAdvisorSharing)
export class ShowAdvisorSharingHandler implements IQueryHandler<ShowAdvisorSharing> {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  async execute({ context }: ShowAdvisorSharing): Promise<ShownSharing> {
    const [row] = await this.database.read(context.tenantId, own({}));
    const { envio } = (row as AdvisorSharing | undefined) ?? defaultSharing;
    const { advisor } = this.config;
    return { envio, servidor: advisor ? new URL(advisor.url).host : null };
  }
}

const own = statement((db) => db.selectFrom('advisor_sharing').select('envio').compile());
