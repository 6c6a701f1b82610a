import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { MOST_STUDENTS, type Sending } from './contracts.api.js';
import type { Recipient } from './sending.commands.js';

/**
 * The recipients of a contract: these students, or all active ones. Returns one more than one sending may have, so that the
 * command can refuse.
 */
export class ListRecipients extends Query<Recipient[]> {
  constructor(
    readonly context: RequestContext,
    readonly alunos: Sending['alunos'],
  ) {
    super();
  }
}

@QueryHandler(ListRecipients)
export class ListRecipientsHandler implements IQueryHandler<ListRecipients> {
  constructor(private readonly database: Database) {}

  async execute({ context, alunos }: ListRecipients): Promise<Recipient[]> {
    const ids = alunos === 'todos' ? undefined : [...new Set(alunos)];
    const found = await this.database.read(context.tenantId, recipients({ ids, most: MOST_STUDENTS + 1 }));
    // Unknown ids are passed on: the command refuses them, or knows them before the projection does.
    return ids ? ids.map((id) => found.find((one) => one.id === id) ?? { id, location_id: null }) : found;
  }
}

const recipients = statement((db, { ids, most }: Blanks<{ ids?: string[] | undefined; most: number }>) =>
  db
    .selectFrom('students as s')
    .select('s.id')
    .select(
      sql<string | null>`(select x.location_id from sessions x
        where x.tenant_id = s.tenant_id and x.student_id = s.id and not x.deleted and x.location_id is not null
        order by x.inicio desc limit 1)`.as('location_id'),
    )
    .$if(ids === undefined, (found) => found.where('s.status', '=', 'active'))
    .$if(ids !== undefined, (found) => found.where(sql<boolean>`s.id = any(${ids!}::uuid[])`))
    .orderBy('s.id')
    .limit(most)
    .compile(),
);
