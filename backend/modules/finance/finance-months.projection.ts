import { sqlProjection } from '../../platform/projections/projection.js';
import { transaction } from './transaction.js';

/** What an entry adds to everything it counts for: a reversal takes it away. */
const SIGN = "case type when 'TransactionReversed' then -1 else 1 end";

const ALLOCATIONS = `insert into allocations (tenant_id, transaction_id, tipo, valor)
select b.tenant_id, coalesce(b.data ->> 'estorno_id', b.data ->> 'transaction_id')::uuid, part.tipo, ${SIGN} * part.valor
from batch b cross join jsonb_to_recordset(b.data -> 'alocacoes') as part(tipo text, valor bigint)`;

const MONTHS = `, entries as (
  select tenant_id, (left(data ->> 'data', 7) || '-01')::date as mes, data ->> 'tipo' as tipo, data -> 'alocacoes' as parts,
    ${SIGN} as sign, ${SIGN} * (data ->> 'valor')::bigint as valor
  from batch
), parts as (
  select tenant_id, mes, part.tipo, sum(sign * part.valor)::bigint as valor
  from entries cross join jsonb_to_recordset(parts) as part(tipo text, valor bigint)
  group by tenant_id, mes, part.tipo
), totals as (
  select tenant_id, mes, sum(sign)::int as lancamentos,
    coalesce(sum(sign) filter (where tipo = 'receita'), 0)::int as receitas,
    coalesce(sum(valor) filter (where tipo = 'receita'), 0)::bigint as recebido,
    coalesce(sum(valor) filter (where tipo = 'despesa'), 0)::bigint as despesas
  from entries group by tenant_id, mes
)
insert into finance_months as m
  (tenant_id, mes, lancamentos, receitas, recebido, despesas, imposto, reserva, operacional, retirada)
select t.*, ${['imposto', 'reserva', 'operacional', 'retirada']
  .map(
    (tipo) => `coalesce((select valor from parts p
      where p.tenant_id = t.tenant_id and p.mes = t.mes and p.tipo = '${tipo}'), 0)`,
  )
  .join(', ')}
from totals t
on conflict (tenant_id, mes) do update set
  lancamentos = m.lancamentos + excluded.lancamentos,
  receitas = m.receitas + excluded.receitas,
  recebido = m.recebido + excluded.recebido,
  despesas = m.despesas + excluded.despesas,
  imposto = m.imposto + excluded.imposto,
  reserva = m.reserva + excluded.reserva,
  operacional = m.operacional + excluded.operacional,
  retirada = m.retirada + excluded.retirada`;

/** The parts of every entry, and each month's totals. */
export const financeMonths = sqlProjection({
  name: 'finance-months',
  topic: 'transactions',
  tables: ['allocations', 'finance_months'],
  events: Object.keys(transaction.events),
  statements: [ALLOCATIONS, MONTHS],
});
