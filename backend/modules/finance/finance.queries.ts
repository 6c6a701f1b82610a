import { TZDate } from '@date-fns/tz';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { format } from 'date-fns';
import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import * as z from 'zod/mini';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { calendarDate, id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { defaultSettings } from '../settings/settings.api.js';
import type {
  Allocations,
  MonthSummary,
  Transaction,
  TransactionPage,
  TransactionsQuery,
  YearSummary,
} from './finance.api.js';
import { DEFAULT_GOAL, monthBefore, monthOf, summarize } from './month.js';

const FIRST_YEAR = 2023;
const place = z.tuple([calendarDate, instant, id]);

export class ListTransactions extends Query<TransactionPage> {
  constructor(
    readonly context: RequestContext,
    readonly list: TransactionsQuery,
  ) {
    super();
  }
}

@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  constructor(private readonly database: Database) {}

  async execute({ context, list }: ListTransactions): Promise<TransactionPage> {
    const { month, limit, cursor } = list;
    const after = cursor === undefined ? undefined : decodeCursor(place, cursor);
    const rows = await this.database.read(
      context.tenantId,
      ofMonth({
        ...{ first: `${month}-01`, limit: limit + 1 },
        ...{ data: after?.[0], recorded: after?.[1], id: after?.[2] },
      }),
    );
    const items = rows.slice(0, limit).map(({ charge_id, student_id, student_nome, ...row }) => ({
      ...row,
      cobranca: charge_id && student_id ? { id: charge_id, student_id, student_nome } : null,
      tipo: row.tipo as Transaction['tipo'],
      metodo_pagamento: row.metodo_pagamento as Transaction['metodo_pagamento'],
      registrada_em: row.registrada_em.toISOString(),
    }));
    const last = items.at(-1);
    const next = rows.length > limit && last ? encodeCursor([last.data, last.registrada_em, last.id]) : null;
    return { items, next };
  }
}

export class ListAllocations extends Query<Allocations> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(ListAllocations)
export class ListAllocationsHandler implements IQueryHandler<ListAllocations> {
  constructor(private readonly database: Database) {}

  async execute({ context, id }: ListAllocations): Promise<Allocations> {
    const [row] = await this.database.read(context.tenantId, allocationsOf({ id }));
    if (!row) throw new Problem('finance.transaction_not_found');
    const items = row.alocacoes as Allocations['items'];
    return { items, total: items.reduce((sum, { valor }) => sum + valor, 0) };
  }
}

export class ShowMonth extends Query<MonthSummary> {
  constructor(
    readonly context: RequestContext,
    readonly month: string,
  ) {
    super();
  }
}

@QueryHandler(ShowMonth)
export class ShowMonthHandler implements IQueryHandler<ShowMonth> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context, month }: ShowMonth): Promise<MonthSummary> {
    const now = this.clock.now();
    const before = monthBefore(month);
    const [row] = await this.database.read(
      context.tenantId,
      monthsAndPlans({ first: `${before}-01`, last: `${month}-01` }),
    );
    const { months, expected, settings } = row!;
    const { meta_mensal, meta_reserva, ...shares } = settings ?? defaultSettings;
    const totals = (mes: string) => months.find((row) => row.mes === `${mes}-01`);
    return summarize(month, totals(month), totals(before), {
      previsto: expectedIn(expected, month, monthOf(now, context.timezone)),
      goals: { meta: meta_mensal || DEFAULT_GOAL, meta_reserva },
      shares,
      today: format(new TZDate(now, context.timezone), 'yyyy-MM-dd'),
    });
  }
}

export class ShowYear extends Query<YearSummary> {
  constructor(
    readonly context: RequestContext,
    readonly year: number,
  ) {
    super();
  }
}

/** From 2023 to next year. */
@QueryHandler(ShowYear)
export class ShowYearHandler implements IQueryHandler<ShowYear> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context, year }: ShowYear): Promise<YearSummary> {
    const current = monthOf(this.clock.now(), context.timezone);
    const last = Number(current.slice(0, 4)) + 1;
    if (year < FIRST_YEAR || year > last) {
      const detail = `Escolha um ano entre ${FIRST_YEAR} e ${last}.`;
      throw new Problem('finance.year_out_of_range', { detail, errors: [{ pointer: '/year', detail }] });
    }
    const [row] = await this.database.report(
      context.tenantId,
      monthsAndPlans({ first: `${year}-01-01`, last: `${year}-12-01` }),
    );
    const { months, expected } = row!;
    const meses = Array.from({ length: 12 }, (_, index) => {
      const mes = `${year}-${String(index + 1).padStart(2, '0')}`;
      const totals = months.find((row) => row.mes === `${mes}-01`);
      const previsto = expectedIn(expected, mes, current);
      return { mes, previsto, recebido: totals?.recebido ?? 0, despesas: totals?.despesas ?? 0 };
    });
    return { ano: year, meses };
  }
}

interface Expected {
  mes: string;
  cobrado: number;
  a_cobrar: number;
}

/** Charges due in the month; with what is still to be billed in it, unless it is over. */
function expectedIn(expected: readonly Expected[], mes: string, current: string): number {
  const { cobrado, a_cobrar } = expected.find((row) => row.mes === `${mes}-01`)!;
  return mes < current ? cobrado : cobrado + a_cobrar;
}

interface MonthPage {
  first: string;
  limit: number;
  /** Last row of the previous page. */
  data?: string;
  recorded?: string;
  id?: string;
}

const ofMonth = statement((db, { first, limit, data, recorded, id }: Blanks<MonthPage>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.id'),
    )
    .leftJoin('students as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.student_id'),
    )
    .select(['t.id', 't.tipo', 't.descricao', 't.valor', 't.metodo_pagamento', 't.data'])
    .select(['t.estorno_de', 't.estornada_por', 't.registrada_em'])
    .select(['c.charge_id', 'c.student_id', 's.nome as student_nome'])
    .where(sql<boolean>`t.data >= ${first}::date and t.data < (${first}::date + interval '1 month')::date`)
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

const allocationsOf = statement((db, { id }: Blanks<{ id: string }>) =>
  db.selectFrom('transactions').select('alocacoes').where('id', '=', id).compile(),
);

/** What was charged with a due date in the month `m.mes` and not cancelled. */
const CHARGED = sql`select coalesce(sum(c.valor), 0) from charges c
  where c.status <> 'cancelada' and c.vencimento >= m.mes and c.vencimento < (m.mes + interval '1 month')::date`;

/**
 * What monthly plans are still to bring in the month `m.mes`: as it was agreed, from the next month that is billed; otherwise
 * an active student's plan, unless it was charged by hand.
 */
const TO_BILL = sql`select coalesce(sum(coalesce(a.valor, p.valor)), 0) from students s
  left join monthly_plans a on a.tenant_id = s.tenant_id and a.id = s.id and a.ativo
  left join plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id and p.tipo = 'mensal' and a.id is null
  where s.status = 'active' and (
    a.id is not null and a.proximo_mes <= m.mes and (a.ate is null or a.ate >= m.mes)
    or p.id is not null and not exists (
      select from charges c where c.student_id = s.id and c.plano_id = p.id and c.status <> 'cancelada'
        and c.vencimento >= m.mes and c.vencimento < (m.mes + interval '1 month')::date))`;

/** Totals of the months that begin from `first` to `last`, what is expected in each, and the settings. */
const monthsAndPlans = statement((db, { first, last }: Blanks<{ first: string; last: string }>) => {
  const months = db
    .selectFrom('finance_months')
    .select(['mes', 'lancamentos', 'receitas', 'recebido', 'despesas'])
    .select(['imposto', 'reserva', 'operacional', 'retirada'])
    .where('mes', '>=', first)
    .where('mes', '<=', last);
  const expected = db
    .selectFrom(
      sql<{
        mes: string;
      }>`(select generate_series(${first}::date, ${last}::date, interval '1 month')::date as mes)`.as('m'),
    )
    .select([
      'm.mes',
      sql<number>`(${CHARGED})::bigint`.as('cobrado'),
      sql<number>`(${TO_BILL})::bigint`.as('a_cobrar'),
    ]);
  const settings = db
    .selectFrom('financial_settings')
    .select(['meta_mensal', 'meta_reserva', 'imposto', 'reserva', 'operacional', 'retirada']);
  return db
    .selectNoFrom([
      jsonArrayFrom(months).as('months'),
      jsonArrayFrom(expected).as('expected'),
      jsonObjectFrom(settings).as('settings'),
    ])
    .compile();
});
