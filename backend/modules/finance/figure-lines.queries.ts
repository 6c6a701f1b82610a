import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import { chargedIn, dueIn, LEFT, openIn, toBillIn } from './expected.queries.js';
import type { OwnLine } from './expected-differences.js';
import {
  type AllocationKind,
  type Figure,
  type FigureLine,
  type FigureLines,
  type FigureLinesQuery,
  type FigurePart,
  isExpected,
} from './finance.api.js';
import { monthOf } from './month.js';
import { entriesOf, EXPECTED } from './past-figures.js';

const place = z.tuple([calendarDate, id]);

/** The lines whose sum is a figure. */
export const ListFigureLines = defineQuery(
  'ListFigureLines',
  { past: PastTables },
  async ({ context }, { past }, list: FigureLinesQuery): Promise<FigureLines> => {
    const { figura, limit, cursor, at, ...part } = list;
    const [data, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const { now, read } = await past.at(
      context.tenantId,
      at,
      isExpected(figura) ? EXPECTED : entriesOf(part.de, part.ate),
    );
    const asked = { ...part, current: `${monthOf(now, context.timezone)}-01` };
    const [rows, [sums]] = await Promise.all([
      read(linesOf[figura]({ ...asked, limit: limit + 1, data, last })),
      read(sumOf[figura](asked)),
    ]);
    const items = rows.slice(0, limit);
    const end = items.at(-1);
    const next = rows.length > limit && end ? encodeCursor([end.data, end.id]) : null;
    return { at, items, next, total: sums!.total };
  },
);

/** The sum of these lines. */
export const SumFigure = defineQuery(
  'SumFigure',
  async ({ context, now, read }, { figura, ...part }: FigurePart): Promise<number> => {
    const asked = { ...part, current: `${monthOf(now, context.timezone)}-01` };
    const [sums] = await read(sumOf[figura](asked));
    return sums!.total;
  },
);

interface Asked extends Omit<FigurePart, 'figura'> {
  /** First day of the current month. */
  current: string;
}

interface Place extends Asked {
  limit: number;
  /** Last line of the previous page. */
  data?: string | undefined;
  last?: string | undefined;
}

type Source = (asked: Blanks<Asked>) => RawBuilder<OwnLine>;

const PAYER = sql`coalesce(t.student_id, c.student_id)`;

/** Entries, each with its share in the figure. */
const entries =
  (valor: string, where: string): Source =>
  ({ de, ate, student_id, metodo_pagamento, categoria }) => {
    const all = [
      sql`t.data between ${de}::date and ${ate}::date`,
      sql.raw(where),
      ...(student_id ? [sql`${PAYER} = ${student_id}::uuid`] : []),
      ...(metodo_pagamento ? [sql`t.metodo_pagamento = ${metodo_pagamento}`] : []),
      ...(categoria ? [sql`t.categoria = ${categoria}`] : []),
    ];
    return sql<OwnLine>`(
    select t.id, ${PAYER} as student_id, 'lancamento' as origem, t.descricao as titulo, s.nome as aluno, t.estorno_de is not null as estorno,
      t.data, ${sql.raw(valor)} as valor
    from transactions t
    left join charge_payments c on c.tenant_id = t.tenant_id and c.id = t.id
    left join students s on s.tenant_id = t.tenant_id and s.id = ${PAYER}
    where ${sql.join(all, sql` and `)})`;
  };

const ALL = { valor: sql`c.valor`, chargesIn: chargedIn };
const NOT_PAID = { valor: LEFT, chargesIn: openIn };

/** The charges due on these days, and the monthly plans still to be billed that are due on them, in months that are not over. */
const expectedOf =
  ({ valor, chargesIn }: typeof ALL): Source =>
  ({ de, ate, current }) => {
    const mes = sql`m.mes`;
    return sql<OwnLine>`(
    with m as (select generate_series(date_trunc('month', ${de}::date), ${ate}::date, interval '1 month')::date as mes)
    select l.* from m cross join lateral (
      select c.id, c.student_id, 'cobranca' as origem, c.descricao as titulo,
        (select w.nome from students w where w.id = c.student_id) as aluno, false as estorno, c.vencimento as data,
        ${valor} as valor
      ${chargesIn(mes)}
      union all
      select s.id, s.id, 'mensalidade', (select n.nome from plans n where n.id = a.plano_id), s.nome, false,
        ${dueIn(mes)}, a.valor
      ${toBillIn(mes)} and ${mes} >= ${current}::date) l
    where l.data between ${de}::date and ${ate}::date)`;
  };

/** The lines of previsto. */
export const expected = expectedOf(ALL);

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
  ainda_entra: expectedOf(NOT_PAID),
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
        .select(['l.id', 'l.origem', 'l.titulo', 'l.aluno', 'l.estorno', 'l.data', 'l.valor'])
        .$if(data !== undefined, (found) =>
          found.where(sql<boolean>`(l.data, l.id) < (${data!}::date, ${last!}::uuid)`),
        )
        .orderBy('l.data', 'desc')
        .orderBy('l.id', 'desc')
        .limit(limit)
        .compile(),
);

export const sumOf = statementsOf<Asked, { total: number }>(
  (source) => (db, asked) =>
    db
      .selectFrom(source(asked).as('l'))
      .select(sql<number>`coalesce(sum(l.valor), 0)::bigint`.as('total'))
      .compile(),
);

/** The most lines of previsto of a month that are compared with those of another moment. */
const MOST_COMPARED = 10_000;

/** All lines of previsto, each with its student. */
export const expectedLines = statement((db, asked: Blanks<Asked>) =>
  db.selectFrom(expected(asked).as('l')).selectAll().limit(MOST_COMPARED).compile(),
);
