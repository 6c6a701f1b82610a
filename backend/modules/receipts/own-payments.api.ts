import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { calendarDate, id, momentQuery, page, pageQuery } from '../../platform/http/common.api.js';
import { paymentMethod } from '../finance/finance.api.js';

/** A student's payment; those that are reversed are left out. */
const ownPayment = z.object({
  id,
  data: calendarDate,
  /** Cents. */
  valor: z.int(),
  metodo_pagamento: paymentMethod,
  /** Description of the charge or receipt, for the trainer also of the entry; null without any. */
  descricao: z.nullable(z.string()),
  /**
   * Its receipt, with the path of the receipt's page; null where none was issued, and for the student where it is in the name of who
   * pays for them, or of several students.
   */
  recibo: z.nullable(z.object({ numero: z.int(), caminho: z.string() })),
});
export type OwnPayment = z.infer<typeof ownPayment>;

export const ownPaymentList = z.strictObject({ ...pageQuery, ...momentQuery });
export type OwnPaymentList = z.infer<typeof ownPaymentList>;

/** Latest first. `pagador`: the name of who pays for the student; null where the student does. */
export const ownPayments = z.extend(page(ownPayment), { ...momentQuery, pagador: z.nullable(z.string()) });
export type OwnPayments = z.infer<typeof ownPayments>;

export const ownPaymentsApi = {
  ofStudent: get('/students/:id/payments', {
    summary: 'Lista as receitas de um aluno, com e sem cobrança',
    query: ownPaymentList,
    answer: ownPayments,
  }),
  list: get('/student/payments', {
    summary: 'Lista o que o próprio aluno pagou',
    roles: ['aluno'],
    byLink: true,
    query: ownPaymentList,
    answer: ownPayments,
  }),
};
