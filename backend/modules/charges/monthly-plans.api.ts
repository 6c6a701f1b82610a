import * as z from 'zod/mini';
import { put, remove, get } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, id } from '../../platform/http/common.api.js';
import { monthlyChange } from '../plans/monthly-terms.api.js';
import { planKind } from '../plans/plans.api.js';

export const monthlyPlanErrors = {
  'charges.no_monthly_plan': { status: 404, title: 'O aluno não tem mensalidade' },
  'charges.not_monthly': { status: 422, title: 'Escolha um plano mensal, trimestral, semestral ou anual' },
  'charges.first_month_changed': {
    status: 409,
    title: 'O valor do primeiro mês mudou, ou ele já foi cobrado. Confira e salve de novo',
  },
  'charges.no_terms': { status: 422, title: 'Informe o início e o vencimento da mensalidade' },
} as const satisfies ErrorTable;

/**
 * Null if none is active. `proximo_mes`: first day of the next period to be billed, after those of the current pause; null if
 * the agreement ends before, or the student is inactive.
 */
export const shownMonthlyPlan = z.object({
  mensalidade: z.nullable(
    z.object({
      plano_id: id,
      plano_nome: z.nullable(z.string()),
      tipo: planKind,
      valor: z.int(),
      desde: calendarDate,
      ate: z.nullable(calendarDate),
      vence_dia: z.int(),
      proximo_mes: z.nullable(calendarDate),
    }),
  ),
});
export type ShownMonthlyPlan = z.infer<typeof shownMonthlyPlan>;

export const monthlyPlansApi = {
  show: get('/students/:id/monthly-plan', {
    summary: 'Mostra a mensalidade de um aluno',
    answer: shownMonthlyPlan,
  }),
  set: put('/students/:id/monthly-plan', {
    summary: 'Combina a mensalidade de um aluno',
    body: monthlyChange,
    answer: created,
  }),
  end: remove('/students/:id/monthly-plan', {
    summary: 'Encerra a mensalidade de um aluno',
    answer: created,
  }),
};
