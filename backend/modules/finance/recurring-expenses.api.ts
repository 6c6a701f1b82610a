import * as z from 'zod/mini';
import { get, post, put, remove } from '../../platform/http/calls.api.js';
import {
  created,
  calendarDate,
  type ErrorTable,
  id,
  page,
  pageQuery,
  rule,
  text,
} from '../../platform/http/common.api.js';
import { expenseCategory, paymentMethod } from './finance.api.js';

export const recurringExpenseErrors = {
  'finance.recurring_not_found': { status: 404, title: 'Despesa recorrente não encontrada' },
} as const satisfies ErrorTable;

const DAYS = 'Use um dia de 1 a 28';

/** `vence_dia`: the day of each month on which it is recorded, at 6:00 in the tenant's zone, and whose date it has. */
const terms = z.strictObject({
  descricao: text(1, 200, 'Descrição é obrigatória'),
  valor: z
    .int()
    .check(
      z.positive('Valor deve ser maior que zero'),
      z.maximum(100_000_000, 'Use no máximo R$ 1.000.000,00'),
    ),
  metodo_pagamento: paymentMethod,
  categoria: z.nullable(expenseCategory),
  vence_dia: z.int(DAYS).check(z.minimum(1, DAYS), z.maximum(28, DAYS)),
  desde: calendarDate,
  ate: z.nullable(calendarDate),
});
const inOrder = rule<{ desde: string; ate: string | null }>(
  ({ desde, ate }) => ate === null || ate >= desde,
  'O fim deve ser depois do início',
  ['ate'],
);
export const recurringExpenseTerms = terms.check(inOrder);
export type RecurringExpenseTerms = z.infer<typeof recurringExpenseTerms>;

/** `se_ainda` null: only while it is ended; refused where it was started again since. */
export const recurringExpenseChange = z
  .strictObject({ ...terms.shape, se_ainda: z.optional(z.null()) })
  .check(inOrder);
export type RecurringExpenseChange = z.infer<typeof recurringExpenseChange>;

const recurringExpense = z.object({
  id,
  descricao: z.nullable(z.string()),
  /** Cents. */
  valor: z.int(),
  metodo_pagamento: paymentMethod,
  categoria: z.nullable(expenseCategory),
  vence_dia: z.int(),
  desde: calendarDate,
  ate: z.nullable(calendarDate),
  /** The day on which it is recorded next; null if it has ended. */
  proxima: z.nullable(calendarDate),
});
export type RecurringExpense = z.infer<typeof recurringExpense>;

export const recurringExpenseList = z.strictObject(pageQuery);
export type RecurringExpenseList = z.infer<typeof recurringExpenseList>;

/** Current expenses, by the day of the month. `total` includes all pages; `valor`: monthly sum of the expenses still to be recorded. */
export const recurringExpensePage = z.extend(page(recurringExpense), {
  total: z.object({ quantidade: z.int(), valor: z.int() }),
});
export type RecurringExpensePage = z.infer<typeof recurringExpensePage>;

export const recurringExpensesApi = {
  list: get('/recurring-expenses', {
    summary: 'Lista despesas recorrentes',
    query: recurringExpenseList,
    answer: recurringExpensePage,
  }),
  add: post('/recurring-expenses', {
    summary: 'Cria uma despesa recorrente',
    body: recurringExpenseTerms,
    answer: created,
    status: 201,
  }),
  set: put('/recurring-expenses/:id', {
    summary: 'Altera uma despesa recorrente, ou reativa uma encerrada',
    body: recurringExpenseChange,
    answer: created,
  }),
  end: remove('/recurring-expenses/:id', { summary: 'Encerra uma despesa recorrente', answer: created }),
};
