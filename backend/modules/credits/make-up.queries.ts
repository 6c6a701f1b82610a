import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { defaultMakeUpRules, type MakeUpRules } from './make-up.api.js';

export class ShowMakeUpRules extends Query<MakeUpRules> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ShowMakeUpRules)
export class ShowMakeUpRulesHandler implements IQueryHandler<ShowMakeUpRules> {
  constructor(private readonly database: Database) {}

  async execute({ context }: ShowMakeUpRules): Promise<MakeUpRules> {
    const [row] = await this.database.read(context.tenantId, rules({}));
    return row ?? defaultMakeUpRules;
  }
}

const rules = statement((db) =>
  db.selectFrom('make_up_rules').select(['ativo', 'teto_percent', 'prazo_meses']).compile(),
);
