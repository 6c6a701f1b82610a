import { sqlProjection } from '../../platform/projections/projection.js';
import { allocationKind } from './finance.api.js';
import type { TransactionEvent } from './transaction.js';

/** Sign of an entry in the totals: a reversal subtracts. */
const SIGN = "case type when 'TransactionRecorded' then 1 when 'TransactionReversed' then -1 end";

const KINDS = allocationKind.options;

const MONTHS = `, entries as (
  select tenant_id, (left(data ->> 'data', 7) || '-01')::date as mes, data ->> 'tipo' as tipo, data -> 'alocacoes' as parts,
    ${SIGN} as sign, ${SIGN} * (data ->> 'valor')::bigint as valor
  from batch
), parts as (
  select tenant_id, mes, ${KINDS.map(
    (kind) => `sum(sign * part.valor) filter (where part.tipo = '${kind}')::bigint as ${kind}`,
  ).join(', ')}
  from entries cross join jsonb_to_recordset(parts) as part(tipo text, valor bigint)
  group by tenant_id, mes
), totals as (
  select tenant_id, mes, sum(sign)::int as lancamentos,
    coalesce(sum(sign) filter (where tipo = 'receita'), 0)::int as receitas,
    coalesce(sum(valor) filter (where tipo = 'receita'), 0)::bigint as recebido,
    coalesce(sum(valor) filter (where tipo = 'despesa'), 0)::bigint as despesas
  from entries group by tenant_id, mes
)
insert into finance_months as m
  (tenant_id, mes, lancamentos, receitas, recebido, despesas, imposto, reserva, operacional, retirada)
select t.*, ${KINDS.map((kind) => `coalesce(${kind}, 0)`).join(', ')}
from totals t left join parts using (tenant_id, mes)
on conflict (tenant_id, mes) do update set
  lancamentos = m.lancamentos + excluded.lancamentos,
  receitas = m.receitas + excluded.receitas,
  recebido = m.recebido + excluded.recebido,
  despesas = m.despesas + excluded.despesas,
  imposto = m.imposto + excluded.imposto,
  reserva = m.reserva + excluded.reserva,
  operacional = m.operacional + excluded.operacional,
  retirada = m.retirada + excluded.retirada`;

/** Totals by month. */
export const financeMonths = sqlProjection({
  name: 'finance-months',
  version: 2,
  topic: 'months',
  tables: ['finance_months'],
  events: {
    TransactionRecorded: [1, 2],
    TransactionReversed: [1, 2],
  } satisfies Record<Exclude<TransactionEvent['type'], 'TransactionReassigned'>, number[]>,
  statements: [MONTHS],
});
