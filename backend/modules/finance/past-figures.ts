import type { WantedTables } from '../../platform/projections/past-tables.js';
import { allocationKind } from './finance.api.js';

const of = (kind: string) =>
  `coalesce(sum((part ->> 'valor')::bigint) filter (where part ->> 'tipo' = '${kind}'), 0)::bigint as ${kind}`;

/** The summary `finance_months`, as sums of the entries that count. */
const MONTHS = `select date_trunc('month', t.data)::date as mes, sum(s.sign)::int as lancamentos,
    coalesce(sum(s.sign) filter (where t.tipo = 'receita'), 0)::int as receitas,
    coalesce(sum(t.valor) filter (where t.tipo = 'receita'), 0)::bigint as recebido,
    coalesce(sum(t.valor) filter (where t.tipo = 'despesa'), 0)::bigint as despesas,
    ${allocationKind.options.map((kind) => `coalesce(sum(a.${kind}), 0)::bigint as ${kind}`).join(', ')}
  from transactions t
  cross join lateral (select case when t.estorno_de is null then 1 else -1 end as sign) s
  cross join lateral (select ${allocationKind.options.map(of).join(', ')} from jsonb_array_elements(t.alocacoes) part) a
  group by 1`;

const expected = ['charges', 'monthly_plans', 'students', 'student_pauses', 'plans'] as const;

/** Entries are read by their day, which their reversals have as well. */
const dated = (first: string, last: string): Pick<WantedTables, 'only'> => ({
  only: [{ of: 'transactions', field: 'data', first, last }],
});

/**
 * The tables that figures of these days, their lines and entries follow from. Whether an entry pays a charge never changes, only
 * whose it is.
 */
export const figuresOf = (first: string, last: string): WantedTables => ({
  tables: ['transactions', 'delivered_months', 'financial_settings', ...expected],
  sums: { finance_months: MONTHS },
  ...dated(first, last),
});
export const entriesOf = (first: string, last: string): WantedTables => ({
  tables: ['transactions', 'charge_payments', 'students'],
  inClear: true,
  ...dated(first, last),
});
/** Of charges, those that were ever due on these days: others are no lines of them. */
export const linesOf = (first: string, last: string): WantedTables => ({
  tables: ['transactions', ...expected],
  inClear: true,
  only: [
    { of: 'transactions', field: 'data', first, last },
    { of: 'charges', field: 'vencimento', first, last, streams: true },
  ],
});
export const EXPECTED: WantedTables = { tables: expected, inClear: true };
