import { Readable } from 'node:stream';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { csvOf } from '../../platform/csv.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { TransactionSheetQuery } from './finance.api.js';
import { entriesOf, type MonthFilters } from './finance.queries.js';

/** Of a month whose sheet is longer, the rest is left out. */
const LONGEST = 5_000;

/** The month's history, as it is narrowed, for a spreadsheet. */
export class WriteTransactionSheet extends Query<string> {
  constructor(
    readonly context: RequestContext,
    readonly asked: TransactionSheetQuery,
  ) {
    super();
  }
}

@QueryHandler(WriteTransactionSheet)
export class WriteTransactionSheetHandler implements IQueryHandler<WriteTransactionSheet> {
  constructor(private readonly database: Database) {}

  async execute({ context, asked: { month, ...filters } }: WriteTransactionSheet): Promise<string> {
    const rows = await this.database.report(context.tenantId, entries({ first: `${month}-01`, ...filters }));
    let text = '';
    for await (const part of csvOf(Readable.from(rows), context.timezone)) text += part;
    return text;
  }
}

/** Oldest first; what goes out is negative. */
const entries = statement((db, filters: Blanks<MonthFilters>) =>
  entriesOf(db, filters)
    .select(sql<string>`to_char(t.data, 'DD/MM/YYYY')`.as('data'))
    .select(
      sql<string>`case when t.estorno_de is null then t.tipo else 'estorno de ' || t.tipo end`.as('tipo'),
    )
    .select(['t.descricao', 's.nome as aluno', 't.categoria', 't.metodo_pagamento as meio'])
    .select(sql<number>`case t.tipo when 'receita' then t.valor else -t.valor end`.as('valor'))
    .select(
      sql<string>`case when t.estornada_por is null then '' when t.corrigida_por is null then 'estornada' else 'corrigida' end`.as(
        'situacao',
      ),
    )
    .select('t.motivo')
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(LONGEST)
    .compile(),
);
