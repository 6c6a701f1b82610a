import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { dateOf } from '../../platform/local-time.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import { expectedLines, sumOf } from './figure-lines.queries.js';
import type { FigureLine } from './finance.api.js';
import type { Forecast, ForecastQuery } from './forecast.api.js';
import { type ChargeNow, forecastSteps, type PlanNow } from './forecast.js';
import { lastDayOf } from './month.js';
import { EXPECTED } from './past-figures.js';

/** Lines of a step in an answer. */
const MOST_LINES = 100;

/** What was predicted is what the forecast of today answers as of that moment. */
export const ShowForecast = defineQuery(
  'ShowForecast',
  { past: PastTables },
  async ({ context, now, read }, { past }, mes: string, { at }: ForecastQuery): Promise<Forecast> => {
    const { tenantId, timezone } = context;
    const [first, last] = [`${mes}-01`, lastDayOf(mes)];
    const tables = await past.at(tenantId, at, EXPECTED);
    const asked = { de: first, ate: last, current: first };
    const predicted = await tables.read(expectedLines(asked));
    const [[facts], [received]] = await Promise.all([
      read(
        factsOf({
          first,
          at,
          zone: timezone,
          charges: predicted.filter(({ origem }) => origem === 'cobranca').map(({ id }) => id),
          plans: predicted.filter(({ origem }) => origem === 'mensalidade').map(({ id }) => id),
        }),
      ),
      read(sumOf.recebido(asked)),
    ]);
    const today = dateOf(now, timezone);
    const steps = forecastSteps({ predicted, ...facts!, days: { first, last }, today });
    return {
      mes,
      at,
      previsto: predicted.reduce((sum, { valor }) => sum + valor, 0),
      recebido: received!.total,
      passos: steps.map(({ linhas, ...step }) => {
        const rest = linhas.slice(MOST_LINES);
        const resto = { quantidade: rest.length, valor: rest.reduce((sum, { valor }) => sum + valor, 0) };
        return { ...step, linhas: linhas.slice(0, MOST_LINES), resto };
      }),
    };
  },
);

interface Asked {
  /** First day of the month, and the moment. */
  first: string;
  at: string;
  zone: string;
  /** Charges and students of the lines that were predicted. */
  charges: string[];
  plans: string[];
}

interface Facts {
  charges: ChargeNow[];
  plans: PlanNow[];
  others: FigureLine[];
}

/**
 * The charges that were predicted, billed for the month, or paid in it, with what was paid of each and when; the monthly plans that were
 * predicted; and the receitas without a charge. An entry and its reversal have the same day, so together they are nothing.
 */
const factsOf = statement((db, { first, at, zone, charges, plans }: Blanks<Asked>) => {
  const next = sql`(${first}::date + interval '1 month')::date`;
  const isInMonth = sql`t.data >= ${first}::date and t.data < ${next}`;
  return sql<Facts>`with shown as (
    select id from charges where id = any(${charges}::uuid[]) or origem = 'mensalidade' and mes = ${first}::date
    union
    select p.charge_id from transactions t join charge_payments p on p.id = t.id where ${isInMonth}
  ), paid as (
    select p.charge_id,
      coalesce(sum(t.valor) filter (where t.data < ${first}::date), 0)::bigint as antes,
      coalesce(sum(t.valor) filter (where ${isInMonth}), 0)::bigint as no_mes,
      coalesce(sum(t.valor) filter (where t.data >= ${next}), 0)::bigint as depois,
      coalesce(sum(p.devolvido), 0)::bigint as devolvido
    from charge_payments p join transactions t on t.id = p.id where p.charge_id in (select id from shown)
    group by p.charge_id
  )
  select (
    select coalesce(json_agg(json_build_object('id', c.id, 'student_id', c.student_id, 'aluno', s.nome, 'titulo', c.descricao,
      'origem', c.origem, 'is_bill', c.origem = 'mensalidade' and c.mes = ${first}::date, 'valor', c.valor,
      'vencimento', c.vencimento, 'cancelada', c.status = 'cancelada', 'antes', coalesce(p.antes, 0),
      'no_mes', coalesce(p.no_mes, 0), 'depois', coalesce(p.depois, 0), 'devolvido', coalesce(p.devolvido, 0),
      'is_new', c.emitida_em > ${at}::timestamptz, 'is_new_student', s.criado_em > ${at}::timestamptz, 'motivo', e.motivo,
      'em_ferias', exists (select from vacations v where v.status = 'active'
        and (e.inicio at time zone ${zone}::text)::date between v.start_date and v.end_date)) order by c.id), '[]')
    from shown join charges c using (id) left join paid p on p.charge_id = c.id left join students s on s.id = c.student_id
    left join sessions e on e.id = c.session_id
  ) as charges, (
    select coalesce(json_agg(json_build_object('id', a.id,
      'pausado', exists (select from student_pauses u where u.id = a.id and ${first}::date between u.desde and u.ate),
      'a_cobrar', a.ativo and a.proximo_mes <= ${first}::date)), '[]')
    from monthly_plans a where a.id = any(${plans}::uuid[])
  ) as plans, (
    select coalesce(json_agg(json_build_object('id', t.id, 'origem', 'lancamento', 'titulo', t.descricao, 'aluno', s.nome,
      'estorno', false, 'data', t.data, 'valor', t.valor) order by t.id), '[]')
    from transactions t left join students s on s.id = t.student_id
    where t.tipo = 'receita' and ${isInMonth} and t.estorno_de is null and t.estornada_por is null
      and not exists (select from charge_payments p where p.id = t.id)
  ) as others`.compile(db);
});
