import { type InferResult, type Kysely, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { type AtMoment, calendarDate, id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import { defaultSettings } from '../settings/settings.api.js';
import { chargedIn, LEFT, toBillIn } from './expected.queries.js';
import type {
  Allocations,
  MonthSummary,
  Transaction,
  TransactionPage,
  TransactionsQuery,
  YearSummary,
} from './finance.api.js';
import { DEFAULT_GOAL, lastDayOf, monthBefore, monthOf, summarize } from './month.js';
import { entriesOf as pastEntries, figuresOf } from './past-figures.js';

const FIRST_YEAR = 2023;
const place = z.tuple([calendarDate, instant, id]);

export const ListTransactions = defineQuery(
  'ListTransactions',
  { past: PastTables },
  async ({ context }, { past }, list: TransactionsQuery): Promise<TransactionPage> => {
    const { month, limit, cursor, at, ...filters } = list;
    const wanted = pastEntries(`${month}-01`, lastDayOf(month));
    const { read } = await past.at(context.tenantId, at, wanted);
    const after = cursor === undefined ? undefined : decodeCursor(place, cursor);
    const asked = { first: `${month}-01`, ...filters };
    const [rows, [total]] = await Promise.all([
      read(ofMonth({ ...asked, limit: limit + 1, data: after?.[0], recorded: after?.[1], id: after?.[2] })),
      read(totalsOf(asked)),
    ]);
    const items = rows.slice(0, limit).map(shown);
    const last = items.at(-1);
    const next = rows.length > limit && last ? encodeCursor([last.data, last.registrada_em, last.id]) : null;
    const { quantidade, receitas, despesas } = total!;
    return { at, items, next, total: { quantidade, receitas, despesas, saldo: receitas - despesas } };
  },
);

/** Copies field by field, because spreading the rest of a row would take twice as long. */
function shown(row: Row): Transaction {
  const { charge_id, payer_id, aluno } = row;
  return {
    id: row.id,
    tipo: row.tipo as Transaction['tipo'],
    descricao: row.descricao,
    valor: row.valor,
    metodo_pagamento: row.metodo_pagamento as Transaction['metodo_pagamento'],
    data: row.data,
    estorno_de: row.estorno_de,
    estornada_por: row.estornada_por,
    registrada_em: row.registrada_em.toISOString(),
    student_id: row.student_id ?? payer_id,
    categoria: row.categoria as Transaction['categoria'],
    motivo: row.motivo,
    corrige: row.corrige,
    corrigida_por: row.corrigida_por,
    aluno,
    cobranca: charge_id && payer_id ? { id: charge_id, student_id: payer_id, student_nome: aluno } : null,
  };
}

export const GetTransaction = defineQuery(
  'GetTransaction',
  async ({ read }, id: string): Promise<Transaction> => {
    const [row] = await read(byId({ id }));
    if (!row) throw new Problem('finance.transaction_not_found');
    return shown(row);
  },
);

export const ListAllocations = defineQuery(
  'ListAllocations',
  async ({ read }, id: string): Promise<Allocations> => {
    const [row] = await read(allocationsOf({ id }));
    if (!row) throw new Problem('finance.transaction_not_found');
    const items = row.alocacoes as Allocations['items'];
    return { items, total: items.reduce((sum, { valor }) => sum + valor, 0) };
  },
);

export const ShowMonth = defineQuery(
  'ShowMonth',
  { past: PastTables },
  async ({ context }, { past }, month: string, { at }: AtMoment = {}): Promise<MonthSummary> => {
    const before = monthBefore(month);
    const wanted = figuresOf(`${before}-01`, lastDayOf(month));
    const { now, read } = await past.at(context.tenantId, at, wanted);
    const today = dateOf(now, context.timezone);
    const [row] = await read(twoMonths({ first: `${before}-01`, last: `${month}-01`, today }));
    const { months, expected, settings, sem_cobranca, entrega } = row!;
    const { meta_mensal, meta_reserva, ...shares } = settings ?? defaultSettings;
    const totals = (mes: string) => months.find((row) => row.mes === `${mes}-01`);
    const summary = summarize(month, totals(month), totals(before), {
      sem_cobranca,
      ...expectedIn(expected, month, monthOf(now, context.timezone)),
      goals: { meta: meta_mensal || DEFAULT_GOAL, meta_reserva },
      shares,
      today,
    });
    const delivered = entrega && { ...entrega, em: new Date(entrega.em).toISOString() };
    return { at, ...summary, entrega: delivered };
  },
);

/** From 2023 to next year. */
export const ShowYear = defineQuery(
  'ShowYear',
  { past: PastTables },
  async ({ context }, { past }, asked: string, { at }: AtMoment = {}): Promise<YearSummary> => {
    const year = Number(asked);
    const wanted = figuresOf(`${year}-01-01`, `${year}-12-31`);
    const { now, read } = await past.at(context.tenantId, at, wanted);
    const current = monthOf(now, context.timezone);
    const last = Number(current.slice(0, 4)) + 1;
    if (year < FIRST_YEAR || year > last) {
      const detail = `Escolha um ano entre ${FIRST_YEAR} e ${last}.`;
      throw new Problem('finance.year_out_of_range', { detail, errors: [{ pointer: '/year', detail }] });
    }
    const today = dateOf(now, context.timezone);
    const [row] = await read(twelveMonths({ first: `${year}-01-01`, last: `${year}-12-01`, today }));
    const { months: known, expected, settings } = row!;
    const meta = (settings ?? defaultSettings).meta_mensal || DEFAULT_GOAL;
    const meses = Array.from({ length: 12 }, (_, index) => {
      const mes = `${year}-${String(index + 1).padStart(2, '0')}`;
      const totals = known.find((row) => row.mes === `${mes}-01`);
      const { previsto } = expectedIn(expected, mes, current);
      return { mes, previsto, recebido: totals?.recebido ?? 0, despesas: totals?.despesas ?? 0 };
    });
    return { at, ano: year, meta, meses };
  },
);

interface Expected {
  mes: string;
  cobrado: number;
  em_aberto: number;
  vencido: number;
  a_cobrar: number;
}

/**
 * The charges due in the month and, unless it is over, the monthly plans that are still to be billed in it: all of it, and what is not
 * paid of it, with the part that is overdue.
 */
function expectedIn(expected: readonly Expected[], mes: string, current: string) {
  const { cobrado, em_aberto, vencido, a_cobrar } = expected.find((row) => row.mes === `${mes}-01`)!;
  const toBill = mes < current ? 0 : a_cobrar;
  return { previsto: cobrado + toBill, ainda_entra: em_aberto + toBill, vencido };
}

export interface MonthFilters extends Omit<TransactionsQuery, 'month' | 'limit' | 'cursor' | 'at'> {
  first: string;
}

interface MonthPage extends MonthFilters {
  limit: number;
  /** Last row of the previous page. */
  data?: string | undefined;
  recorded?: string | undefined;
  id?: string | undefined;
}

/** In lower case, without accents and needless blanks, so that "joao" finds João. */
const plain = (text: RawBuilder<unknown>) =>
  sql`regexp_replace(regexp_replace(normalize(lower(${text}), nfd), '[\\u0300-\\u036f]', '', 'g'), '\\s+', ' ', 'g')`;

/** Entries, each with its student. */
const entries = (db: Kysely<DB>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.id'),
    )
    .leftJoin('students as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 't.tenant_id')
        .on('s.id', '=', sql<string>`case when t.student_id is null then c.student_id else t.student_id end`),
    );

/** The month's entries that match the filters. */
export const entriesOf = (
  db: Kysely<DB>,
  { first, tipo, metodo_pagamento, categoria, texto, min, max }: Blanks<MonthFilters>,
) =>
  entries(db)
    .where(sql<boolean>`t.data >= ${first}::date and t.data < (${first}::date + interval '1 month')::date`)
    .$if(tipo !== undefined, (found) => found.where('t.tipo', '=', tipo!))
    .$if(metodo_pagamento !== undefined, (found) => found.where('t.metodo_pagamento', '=', metodo_pagamento!))
    .$if(categoria !== undefined, (found) => found.where('t.categoria', '=', categoria!))
    .$if(min !== undefined, (found) => found.where(sql<boolean>`abs(t.valor) >= ${min!}::bigint`))
    .$if(max !== undefined, (found) => found.where(sql<boolean>`abs(t.valor) <= ${max!}::bigint`))
    .$if(texto !== undefined, (found) =>
      found.where(
        sql<boolean>`strpos(${plain(sql`concat_ws(' ', s.nome, t.descricao)`)}, ${plain(sql`${texto!}::text`)}) > 0`,
      ),
    );

const FIELDS = [
  ...(['t.id', 't.tipo', 't.descricao', 't.valor', 't.metodo_pagamento', 't.data'] as const),
  ...(['t.estorno_de', 't.estornada_por', 't.registrada_em', 't.student_id', 't.categoria'] as const),
  ...(['t.motivo', 't.corrige_id as corrige', 't.corrigida_por'] as const),
  ...(['c.charge_id', 'c.student_id as payer_id', 's.nome as aluno'] as const),
] as const;

const byId = statement((db, { id }: Blanks<{ id: string }>) =>
  entries(db).select(FIELDS).where('t.id', '=', id).compile(),
);
type Row = InferResult<ReturnType<typeof byId>>[number];

const ofMonth = statement((db, { limit, data, recorded, id, ...filters }: Blanks<MonthPage>) =>
  entriesOf(db, filters)
    .select(FIELDS)
    .$if(data !== undefined, (found) =>
      found.where(
        sql<boolean>`t.data <= ${data!}::date
          and (t.data, t.registrada_em, t.id) < (${data!}::date, ${recorded!}::timestamptz, ${id!}::uuid)`,
      ),
    )
    .orderBy('t.data', 'desc')
    .orderBy('t.registrada_em', 'desc')
    .orderBy('t.id', 'desc')
    .limit(limit)
    .compile(),
);

const totalsOf = statement((db, filters: Blanks<MonthFilters>) =>
  entriesOf(db, filters)
    .select(sql<number>`count(*)::int`.as('quantidade'))
    .select(sql<number>`coalesce(sum(t.valor) filter (where t.tipo = 'receita'), 0)::bigint`.as('receitas'))
    .select(sql<number>`coalesce(sum(t.valor) filter (where t.tipo = 'despesa'), 0)::bigint`.as('despesas'))
    .compile(),
);

const allocationsOf = statement((db, { id }: Blanks<{ id: string }>) =>
  db.selectFrom('transactions').select('alocacoes').where('id', '=', id).compile(),
);

/**
 * The receitas of the month that begins on this day which pay no charge; reversals count for what they reverse. Each is looked up by
 * its id, whoever's data the plan was made for; under row security no index serves a comparison with `coalesce`.
 */
const withoutCharge = (mes: RawBuilder<unknown>) => sql`select coalesce(sum(t.valor), 0) from transactions t
  where t.tipo = 'receita' and t.data >= ${mes} and t.data < (${mes} + interval '1 month')::date
    and (select p.id from charge_payments p where p.tenant_id = t.tenant_id
      and p.id = case when t.estorno_de is null then t.id else t.estorno_de end) is null`;

/**
 * The last delivery of the month that begins on this day, and what was recorded since. What replaces an entry of the same month is one
 * change with its reversal.
 */
const deliveryOf = (mes: RawBuilder<unknown>) => sql<MonthSummary['entrega']>`(select to_json(e) from (
  select d.id, d.em, count(distinct coalesce(t.corrige_id, t.estorno_de, t.id))::int as mudancas,
    coalesce(sum(case t.tipo when 'receita' then t.valor else -t.valor end), 0)::bigint as valor
  from delivered_months d left join transactions t on t.tenant_id = d.tenant_id and t.data >= d.mes
    and t.data < (d.mes + interval '1 month')::date and t.registrada_em > d.em
  where d.mes = ${mes} group by d.id, d.em) e)`;

/** What is expected in each of so many months from `first` on, and overdue `today`. */
const expectedOf = (count: number, { first, last, today }: MonthBlanks) => sql<Expected>`(
  select m.mes, coalesce(c.cobrado, 0) as cobrado, coalesce(c.em_aberto, 0) as em_aberto, coalesce(c.vencido, 0) as vencido,
    (select coalesce(sum(a.valor), 0) ${toBillIn(sql`m.mes`)})::bigint as a_cobrar
  from (select (${first}::date + n * interval '1 month')::date as mes from generate_series(0, ${sql.lit(count - 1)}) n) m
  left join (
    select date_trunc('month', c.vencimento)::date as mes, sum(c.valor)::bigint as cobrado,
      sum(${LEFT}) filter (where c.status = 'aberta')::bigint as em_aberto,
      sum(${LEFT}) filter (where c.status = 'aberta' and c.vencimento < ${today}::date)::bigint as vencido
    ${chargedIn(sql`${first}::date`, sql`${last}::date`)} group by 1
  ) c on c.mes = m.mes)`;

type MonthBlanks = Blanks<{ first: string; last: string; today: string }>;

/**
 * Totals of the months that begin from `first` to `last`, which are `count`, what is expected in each, what of the last one belongs to no
 * charge and its delivery, and the settings. The planner knows the number of months, so that it finds one plan good for all of them.
 */
const monthsAndPlans = (count: number) =>
  statement((db, blanks: MonthBlanks) => {
    const { first, last } = blanks;
    const months = db
      .selectFrom('finance_months')
      .select(['mes', 'lancamentos', 'receitas', 'recebido', 'despesas'])
      .select(['imposto', 'reserva', 'operacional', 'retirada'])
      .where('mes', '>=', first)
      .where('mes', '<=', last);
    const expected = db.selectFrom(expectedOf(count, blanks).as('e')).selectAll();
    const settings = db
      .selectFrom('financial_settings')
      .select(['meta_mensal', 'meta_reserva', 'imposto', 'reserva', 'operacional', 'retirada']);
    return db
      .selectNoFrom([
        jsonArrayFrom(months).as('months'),
        jsonArrayFrom(expected).as('expected'),
        jsonObjectFrom(settings).as('settings'),
        sql<number>`(${withoutCharge(sql`${last}::date`)})::bigint`.as('sem_cobranca'),
        deliveryOf(sql`${last}::date`).as('entrega'),
      ])
      .compile();
  });

const twoMonths = monthsAndPlans(2);
const twelveMonths = monthsAndPlans(12);
