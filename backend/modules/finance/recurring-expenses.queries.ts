import { type Kysely, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { pageOf } from '../../platform/http/cursor.js';
import type {
  RecurringExpense,
  RecurringExpenseList,
  RecurringExpensePage,
} from './recurring-expenses.api.js';

export const ListRecurringExpenses = defineQuery(
  'ListRecurringExpenses',
  async ({ read }, { limit, cursor }: RecurringExpenseList): Promise<RecurringExpensePage> => {
    const [rows, [total]] = await Promise.all([read(byDay({ cursor, limit: limit + 1 })), read(totals({}))]);
    const page = pageOf(rows, limit, ({ metodo_pagamento, categoria, ...row }) => ({
      ...row,
      metodo_pagamento: metodo_pagamento as RecurringExpense['metodo_pagamento'],
      categoria: categoria as RecurringExpense['categoria'],
    }));
    return { ...page, total: total! };
  },
);

/** Current expenses, each with the day on which it is recorded next, unless it ends before that. */
const active = (db: Kysely<DB>) =>
  db
    .selectFrom(
      sql<{ id: string; proxima: string | null }>`(
        select id, case when ate is null or ate >= dia then dia end as proxima
        from (select id, ate, proximo_mes + vence_dia - 1 as dia from recurring_expenses where ativa) each)`.as(
        'n',
      ),
    )
    .innerJoin('recurring_expenses as e', 'e.id', 'n.id');

const byDay = statement((db, { cursor, limit }: Blanks<{ cursor?: string | undefined; limit: number }>) =>
  active(db)
    .select(['e.id', 'e.descricao', 'e.valor', 'e.metodo_pagamento', 'e.categoria', 'e.vence_dia'])
    .select(['e.desde', 'e.ate', 'n.proxima'])
    .$if(cursor !== undefined, (found) =>
      found.where(
        sql<boolean>`(e.vence_dia, e.id) > (select vence_dia, id from recurring_expenses where id = ${cursor!})`,
      ),
    )
    .orderBy('e.vence_dia')
    .orderBy('e.id')
    .limit(limit)
    .compile(),
);

const totals = statement((db) =>
  active(db)
    .select(sql<number>`count(*)::int`.as('quantidade'))
    .select(sql<number>`coalesce(sum(e.valor) filter (where n.proxima is not null), 0)::bigint`.as('valor'))
    .compile(),
);
