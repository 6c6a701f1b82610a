import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import type { RenewalState } from './renewals.api.js';

export const ShowRenewal = defineQuery(
  'ShowRenewal',
  async ({ read }, studentId: string): Promise<RenewalState> => {
    const [row] = await read(renewals({ studentId }));
    if (!row) throw new Problem('students.not_found');
    const { esperando, cobrancas } = row;
    return { esperando: esperando.map((one) => ({ ...one, em: new Date(one.em).toISOString() })), cobrancas };
  },
);

/** The grants come from the guard, which is never behind. */
const renewals = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  sql<RenewalState>`with open as (
    select id, plano_id, valor - pago as falta, vencimento, grant_id, creditos from charges
    where student_id = ${studentId}::uuid and plano_id is not null and status = 'aberta'
  )
  select
    coalesce((select json_agg(json_build_object('lot_id', g.lot_id, 'plano_id', g.plano_id, 'quantidade', g.quantidade,
      'em', g.em, 'cobranca', case when o.id is not null
        then json_build_object('id', o.id, 'falta', o.falta, 'vencimento', o.vencimento) end) order by g.em, g.lot_id)
      from plan_grants g left join open o on o.id = g.charge_id
      where g.student_id = ${studentId}::uuid and not g.paga and not g.dispensada), '[]') as esperando,
    coalesce((select json_agg(json_build_object('id', o.id, 'plano_id', o.plano_id, 'falta', o.falta,
      'vencimento', o.vencimento) order by o.vencimento, o.id)
      from open o where o.grant_id is null and o.creditos > 0), '[]') as cobrancas
  from students where id = ${studentId}::uuid and status <> 'removed'`.compile(db),
);
