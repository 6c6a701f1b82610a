import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { chargedIn, toBillIn } from './expected.queries.js';
import type { AllocationKind, Figure, FigureLine, FigureLines, FigureLinesQuery } from './finance.api.js';
import { monthOf } from './month.js';

const place = z.tuple([calendarDate, id]);

/** The lines whose sum is a figure of a month. */
export class ListFigureLines extends Query<FigureLines> {
  constructor(
    readonly context: RequestContext,
    readonly month: string,
    readonly list: FigureLinesQuery,
  ) {
    super();
  }
}

@QueryHandler(ListFigureLines)
export class ListFigureLinesHandler implements IQueryHandler<ListFigureLines> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context, month, list }: ListFigureLines): Promise<FigureLines> {
    const { figura, limit, cursor } = list;
    const [data, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const current = `${monthOf(this.clock.now(), context.timezone)}-01`;
    const asked = { first: `${month}-01`, current };
    const [rows, [sums]] = await Promise.all([
      this.database.read(context.tenantId, linesOf[figura]({ ...asked, limit: limit + 1, data, last })),
      this.database.read(context.tenantId, sumOf[figura](asked)),
    ]);
    const items = rows.slice(0, limit);
    const end = items.at(-1);
    const next = rows.length > limit && end ? encodeCursor([end.data, end.id]) : null;
    return { items, next, total: sums!.total };
  }
}

interface Asked {
  /** First days of the requested month and of the current one. */
  first: string;
  current: string;
}

interface Place extends Asked {
  limit: number;
  /** Last line of the previous page. */
  data?: string;
  last?: string;
}

type Source = (asked: Blanks<Asked>) => RawBuilder<FigureLine>;

/** Entries of the month, each with its share in the figure. */
const entries =
  (valor: string, where: string): Source =>
  ({ first }) =>
    sql<FigureLine>`(
    select t.id, 'lancamento' as origem, t.descricao as titulo, s.nome as aluno, t.estorno_de is not null as estorno,
      t.data, ${sql.raw(valor)} as valor
    from transactions t
    left join charge_payments c on c.tenant_id = t.tenant_id and c.id = t.id
    left join students s on s.tenant_id = t.tenant_id and s.id = coalesce(t.student_id, c.student_id)
    where t.data >= ${first}::date and t.data < (${first}::date + interval '1 month')::date and ${sql.raw(where)})`;

/** The charges due in the month, and the monthly plans still to be billed in it, unless it is over. */
const expected: Source = ({ first, current }) => {
  const mes = sql`${first}::date`;
  const due = sql`${mes} + coalesce(a.vence_dia, 1) - 1`;
  return sql<FigureLine>`(
    select c.id, 'cobranca' as origem, c.descricao as titulo,
      (select w.nome from students w where w.id = c.student_id) as aluno, false as estorno, c.vencimento as data, c.valor
    ${chargedIn(mes)}
    union all
    select s.id, 'mensalidade', (select n.nome from plans n where n.id = coalesce(a.plano_id, p.id)), s.nome, false,
      ${due}, coalesce(a.valor, p.valor)
    ${toBillIn(mes)} and ${mes} >= ${current}::date)`;
};

const part = (kind: AllocationKind): Source =>
  entries(
    `(select coalesce(sum((part ->> 'valor')::bigint), 0)::bigint from jsonb_array_elements(t.alocacoes) part
      where part ->> 'tipo' = '${kind}')`,
    "t.tipo = 'receita'",
  );

const sources: Record<Figure, Source> = {
  recebido: entries('t.valor', "t.tipo = 'receita'"),
  despesas: entries('t.valor', "t.tipo = 'despesa'"),
  lucro: entries("case t.tipo when 'receita' then t.valor else -t.valor end", 'true'),
  previsto: expected,
  imposto: part('imposto'),
  reserva: part('reserva'),
  operacional: part('operacional'),
  retirada: part('retirada'),
};

const statementsOf = <Values extends Asked, Row>(
  build: (source: Source) => (db: Kysely<DB>, blanks: Blanks<Values>) => CompiledQuery<Row>,
) =>
  Object.fromEntries(
    Object.entries(sources).map(([figura, source]) => [figura, statement<Values, Row>(build(source))]),
  ) as Record<Figure, (values: Values) => CompiledQuery<Row>>;

/** Newest first. */
const linesOf = statementsOf<Place, FigureLine>(
  (source) =>
    (db, { limit, data, last, ...asked }) =>
      db
        .selectFrom(source(asked).as('l'))
        .selectAll()
        .$if(data !== undefined, (found) =>
          found.where(sql<boolean>`(l.data, l.id) < (${data!}::date, ${last!}::uuid)`),
        )
        .orderBy('l.data', 'desc')
        .orderBy('l.id', 'desc')
        .limit(limit)
        .compile(),
);

const sumOf = statementsOf<Asked, { total: number }>(
  (source) => (db, asked) =>
    db
      .selectFrom(source(asked).as('l'))
      .select(sql<number>`coalesce(sum(l.valor), 0)::bigint`.as('total'))
      .compile(),
);
