import { defineQuery, type Reading } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { monthAfter } from '../../platform/local-time.js';
import { brl } from '../../platform/portuguese.js';
import type { PlanKind } from '../plans/plans.api.js';
import type { ShownMonthlyPlan } from './monthly-plans.api.js';

export const ShowMonthlyPlan = defineQuery(
  'ShowMonthlyPlan',
  async ({ read }, studentId: string): Promise<ShownMonthlyPlan> => {
    const [row] = await read(ofStudent({ studentId }));
    if (!row) throw new Problem('students.not_found');
    const { plano_id, plano_nome, tipo, valor, desde, ate, vence_dia, proximo_mes } = row;
    if (!plano_id || valor === null || !desde || vence_dia === null || !proximo_mes)
      return { mensalidade: null };
    const next = row.status === 'active' ? monthNotPaused(proximo_mes, row) : null;
    return {
      mensalidade: {
        plano_id,
        plano_nome,
        tipo: tipo as PlanKind,
        valor,
        desde,
        ate,
        vence_dia,
        proximo_mes: next !== null && (ate === null || ate >= next) ? next : null,
      },
    };
  },
);

/** Says from which month on a student is billed again who is archived or paused no longer, and was not billed because of it. */
export async function billedAgain(
  { read }: Reading,
  studentId: string,
  noLonger: 'archived' | 'paused',
): Promise<string[]> {
  const [row] = await read(ofStudent({ studentId }));
  if (!row?.proximo_mes || row.valor === null) return [];
  const { proximo_mes, status, ate } = row;
  const afterPause = monthNotPaused(proximo_mes, row);
  const isOff =
    noLonger === 'archived' ? status === 'archived' : status === 'active' && afterPause !== proximo_mes;
  const from = noLonger === 'archived' ? afterPause : proximo_mes;
  if (!isOff || (ate !== null && ate < from)) return [];
  const month = `${from.slice(5, 7)}/${from.slice(0, 4)}`;
  return [`a mensalidade de ${brl(row.valor)} volta a ser cobrada, a partir de ${month}`];
}

/** The first month from this one on, on whose first day the student is not paused. */
function monthNotPaused(
  mes: string,
  { pausado_de, pausado_ate }: { pausado_de: string | null; pausado_ate: string | null },
): string {
  const isPaused = pausado_de !== null && pausado_ate !== null && pausado_de <= mes && pausado_ate >= mes;
  return isPaused ? monthAfter(`${pausado_ate.slice(0, 7)}-01`) : mes;
}

const ofStudent = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students as s')
    .leftJoin('monthly_plans as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.id', '=', 's.id').on('m.ativo', '=', true),
    )
    .leftJoin('plans as p', (join) =>
      join.onRef('p.tenant_id', '=', 'm.tenant_id').onRef('p.id', '=', 'm.plano_id'),
    )
    .select(['m.plano_id', 'p.nome as plano_nome', 'p.tipo', 'm.valor', 'm.desde', 'm.ate', 'm.vence_dia'])
    .leftJoin('student_pauses as u', (join) =>
      join.onRef('u.tenant_id', '=', 's.tenant_id').onRef('u.id', '=', 's.id'),
    )
    .select(['m.proximo_mes', 's.status', 'u.desde as pausado_de', 'u.ate as pausado_ate'])
    .where('s.id', '=', studentId)
    .where('s.status', '<>', 'removed')
    .compile(),
);
