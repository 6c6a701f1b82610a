import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { ShownTerms } from './general-terms.api.js';

export class ShowGeneralTerms extends Query<ShownTerms> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ShowGeneralTerms)
export class ShowGeneralTermsHandler implements IQueryHandler<ShowGeneralTerms> {
  constructor(private readonly database: Database) {}

  async execute({ context }: ShowGeneralTerms): Promise<ShownTerms> {
    const [row] = await this.database.read(context.tenantId, own({}));
    return { aceite: row ? { versao: row.versao, em: row.aceito_em.toISOString() } : null };
  }
}

const own = statement((db) => db.selectFrom('general_terms').select(['versao', 'aceito_em']).compile());
