import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { Problem } from '../../platform/http/problem.js';
import { details, shown } from './agenda.queries.js';
import type { Group } from './groups.api.js';

export class ListGroup extends Query<Group> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(ListGroup)
export class ListGroupHandler implements IQueryHandler<ListGroup> {
  constructor(private readonly database: Database) {}

  async execute({ context, id }: ListGroup): Promise<Group> {
    const rows = await this.database.read(context.tenantId, members({ id }));
    if (rows.length === 0) throw new Problem('agenda.group_not_found');
    return { items: rows.map(shown) };
  }
}

const members = statement((db, { id }: Blanks<{ id: string }>) =>
  details(db).where('s.grupo_id', '=', id).orderBy('st.nome').orderBy('s.id').limit(100).compile(),
);
