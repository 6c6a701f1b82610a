import * as z from 'zod/mini';
import { put, remove, get } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, id, rule } from '../../platform/http/common.api.js';

export const monthlyPlanErrors = {
  'charges.no_monthly_plan': { status: 404, title: 'O aluno não tem mensalidade' },
  'charges.not_monthly': { status: 422, title: 'Escolha um plano mensal' },
  'charges.no_terms': { status: 422, title: 'Informe o início e o vencimento da mensalidade' },
} as const satisfies ErrorTable;

const agreed = {
  valor: z
    .int()
    .check(
      z.positive('Valor deve ser maior que zero'),
      z.maximum(100_000_000, 'Use no máximo R$ 1.000.000,00'),
    ),
  desde: calendarDate,
  ate: z.nullable(calendarDate),
  vence_dia: z.int().check(z.minimum(1, 'Use um dia de 1 a 28'), z.maximum(28, 'Use um dia de 1 a 28')),
};
const inOrder = rule<{ desde: string; ate: string | null }>(
  ({ desde, ate }) => ate === null || ate >= desde,
  'O fim deve ser depois do início',
  ['ate'],
);

/** The agreement with a student: plan, price, its first and last month, and the day of the month on which it is due. */
export const monthlyTerms = z.strictObject({ plano_id: id, ...agreed }).check(inOrder);
export type MonthlyTerms = z.infer<typeof monthlyTerms>;

/** `se_ainda` null: only while none is active; refused where one was agreed since. */
export const monthlyChange = z
  .strictObject({ plano_id: id, ...agreed, se_ainda: z.optional(z.null()) })
  .check(inOrder);
export type MonthlyChange = z.infer<typeof monthlyChange>;

/** The same beside a student's plan; without a plan of its own it is for the student's. */
export const broughtTerms = z.strictObject({ plano_id: z.optional(id), ...agreed }).check(inOrder);
export type BroughtTerms = z.infer<typeof broughtTerms>;

/**
 * Null if none is active. `proximo_mes`: first day of the next month to be billed, after those of the current pause; null if
 * the agreement ends before, or the student is inactive.
 */
export const shownMonthlyPlan = z.object({
  mensalidade: z.nullable(
    z.object({
      plano_id: id,
      plano_nome: z.nullable(z.string()),
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
