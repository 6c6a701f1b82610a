import { Readable } from 'node:stream';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { csvOf } from '../../platform/csv.js';
import { Database } from '../../platform/database/database.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { ExpenseCategory } from '../finance/finance.api.js';
import { monthReport } from './month-report.pdf.js';

/** Of a month whose sheet is longer, the rest is left out. */
const LONGEST = 5_000;
/** Rows that are printed: they are laid out in the process that answers everybody. */
const MOST_PRINTED = 500;

/** What came in in a month, with who paid, as the accountant enters it into the Carnê-Leão. */
export class WriteCarneLeao extends Query<string> {
  constructor(
    readonly context: RequestContext & { timezone: string },
    readonly month: string,
  ) {
    super();
  }
}

@QueryHandler(WriteCarneLeao)
export class WriteCarneLeaoHandler implements IQueryHandler<WriteCarneLeao> {
  constructor(private readonly database: Database) {}

  async execute({ context, month }: WriteCarneLeao): Promise<string> {
    const rows = await this.database.report(context.tenantId, income({ first: `${month}-01` }));
    let text = '';
    for await (const part of csvOf(Readable.from(rows), context.timezone)) text += part;
    return text;
  }
}

/** What came in and went out in a month, as a file to print. */
export class PrintMonth extends Query<Buffer> {
  constructor(
    readonly context: RequestContext,
    readonly month: string,
  ) {
    super();
  }
}

@QueryHandler(PrintMonth)
export class PrintMonthHandler implements IQueryHandler<PrintMonth> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context: { tenantId }, month }: PrintMonth): Promise<Buffer> {
    const first = `${month}-01`;
    const rows = await this.database.report(tenantId, reported({ first }));
    const [prestador = null] = await this.database.report(tenantId, issuer({}));
    const [totals] = await this.database.report(tenantId, totalsOf({ first }));
    const [receitas, despesas] = ['receita', 'despesa'].map((kind) =>
      rows.filter(({ tipo }) => tipo === kind),
    );
    return monthReport({
      ...{ month, prestador, ...totals! },
      ...{ receitas: receitas!, despesas: despesas!, writtenAt: this.clock.now() },
    });
  }
}

const issuer = statement((db) =>
  db.selectFrom('receipt_issuers').select(['nome', 'documento', 'cref']).compile(),
);

const reported = statement((db, { first }: Blanks<{ first: string }>) =>
  standing(db, first)
    .select(['t.data', 't.tipo', 't.valor', 'r.cpf', 'r.numero as recibo'])
    .select(sql<ExpenseCategory | null>`t.categoria`.as('categoria'))
    .select(sql<string | null>`coalesce(r.nome, s.nome)`.as('pagador'))
    .select(sql<string | null>`coalesce(r.descricao, t.descricao)`.as('descricao'))
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(MOST_PRINTED)
    .compile(),
);

const totalsOf = statement((db, { first }: Blanks<{ first: string }>) =>
  standing(db, first)
    .select(sql<number>`count(*)::int`.as('quantidade'))
    .select(sql<number>`coalesce(sum(t.valor) filter (where t.tipo = 'receita'), 0)::bigint`.as('recebido'))
    .select(sql<number>`coalesce(sum(t.valor) filter (where t.tipo = 'despesa'), 0)::bigint`.as('gasto'))
    .compile(),
);

/** The month's entries that stand, with who paid and the receipt. */
const standing = (db: Kysely<DB>, first: Blanks<{ first: string }>['first']) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('receipts as r', (join) =>
      join.onRef('r.tenant_id', '=', 't.tenant_id').onRef('r.id', '=', 't.id'),
    )
    .leftJoin('charge_payments as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.id'),
    )
    .leftJoin('students as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 't.tenant_id')
        .on('s.id', '=', sql<string>`coalesce(t.student_id, c.student_id)`),
    )
    .where('t.estorno_de', 'is', null)
    .where('t.estornada_por', 'is', null)
    .where(sql<boolean>`t.data >= ${first}::date and t.data < (${first}::date + interval '1 month')::date`);

const income = statement((db, { first }: Blanks<{ first: string }>) =>
  standing(db, first)
    .select(sql<string>`to_char(t.data, 'DD/MM/YYYY')`.as('Data'))
    .select('t.valor as Valor')
    .select(sql<string | null>`coalesce(r.nome, s.nome)`.as('Quem pagou'))
    .select([
      sql<string | null>`regexp_replace(r.cpf, '^(\\d{3})(\\d{3})(\\d{3})(\\d{2})$', '\\1.\\2.\\3-\\4')`.as(
        'CPF',
      ),
      sql<string | null>`coalesce(r.descricao, t.descricao)`.as('Referente a'),
      'r.numero as Recibo',
    ])
    .where('t.tipo', '=', 'receita')
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(LONGEST)
    .compile(),
);
