import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { pageOf } from '../../platform/http/page.js';
import type { UndecidedList, UndecidedPage } from './pix-notices.api.js';

export class ListUndecidedPix extends Query<UndecidedPage> {
  constructor(
    readonly context: RequestContext,
    readonly list: UndecidedList,
  ) {
    super();
  }
}

@QueryHandler(ListUndecidedPix)
export class ListUndecidedPixHandler implements IQueryHandler<ListUndecidedPix> {
  constructor(private readonly database: Database) {}

  async execute({ context, list: { limit, cursor } }: ListUndecidedPix): Promise<UndecidedPage> {
    const rows = await this.database.read(context.tenantId, undecided({ cursor, limit: limit + 1 }));
    return pageOf(rows, limit, (row) => row);
  }
}

const undecided = statement((db, { cursor, limit }: Blanks<{ cursor?: string | undefined; limit: number }>) =>
  db
    .selectFrom('arrived_pix as a')
    .leftJoin('charges as c', (join) =>
      join.onRef('c.tenant_id', '=', 'a.tenant_id').onRef('c.id', '=', 'a.charge_id'),
    )
    .leftJoin('students as s', (join) =>
      join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.id', '=', 'c.student_id'),
    )
    .select(['a.id', 'a.data', 'a.charge_id', 's.nome as student_nome', 'c.descricao'])
    .select('a.falta as valor')
    .select(sql<boolean>`coalesce(c.status = 'aberta', false)`.as('paga_cobranca'))
    .where(sql<boolean>`not a.decidido`)
    .$if(cursor !== undefined, (found) =>
      found.where(sql<boolean>`(a.data, a.id) > (select data, id from arrived_pix where id = ${cursor!})`),
    )
    .orderBy('a.data')
    .orderBy('a.id')
    .limit(limit)
    .compile(),
);
