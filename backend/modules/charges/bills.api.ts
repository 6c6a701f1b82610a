import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { calendarDate, id } from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';
import { paymentMethod } from '../finance/finance.api.js';
import { owed } from './charge-terms.api.js';
import { newPayment } from './charges.api.js';

/** An open charge of one of a payer's students. Amounts in cents. */
const billItem = z.object({
  id,
  student_id: id,
  aluno: z.string(),
  descricao: z.nullable(z.string()),
  vencimento: calendarDate,
  falta: z.int(),
  hoje: owed,
});
export type BillItem = z.infer<typeof billItem>;

/** A payment of several charges at once. */
const billPayment = z.object({
  id,
  valor: z.int(),
  data: calendarDate,
  metodo_pagamento: paymentMethod,
  /** How many charges it went to. */
  cobrancas: z.int(),
  /** The receita of the first of them, which has the receipt of all. */
  transaction_id: id,
});
export type BillPayment = z.infer<typeof billPayment>;

/** What a payer owes today: the open charges of all their students, the earliest due date first. */
export const bill = z.object({
  total: z.int(),
  itens: z.array(billItem),
  /** The last ones, without what was undone or refunded of them. */
  pagamentos: z.array(billPayment),
  /** Address of the page on which all is paid; null if nothing is open. */
  link: z.nullable(z.string()),
  mensagem: z.nullable(z.string()),
  /** Opens WhatsApp with the message. */
  whatsapp: z.nullable(z.string()),
  /** "Copia e cola" for all; null if nothing is open, or no Pix key is set. */
  pix: z.nullable(z.string()),
});
export type Bill = z.infer<typeof bill>;

export const newBillPayment = z.omit(newPayment, { mesmo_assim: true });
export type NewBillPayment = z.infer<typeof newBillPayment>;

/** The charges that were paid and those that are settled by it, and the granted credits. */
export const billPaid = z.object({ id, cobrancas: z.int(), quitadas: z.int(), creditos: z.int() });
export type BillPaidAnswer = z.infer<typeof billPaid>;

/** `pix_a_decidir`: it was a Pix that a provider reported, which is to be decided again. */
const billUndone = z.object({ id, pix_a_decidir: z.boolean() });

export const billsApi = {
  show: get('/payers/:id/bill', { summary: 'Mostra a conta de um pagador', answer: bill }),
  pay: post('/payers/:id/payments', {
    summary: 'Registra o pagamento da conta de um pagador, das cobranças mais antigas às mais novas',
    body: newBillPayment,
    answer: billPaid,
    status: 201,
  }),
  reverse: post('/payers/:id/payments/:payment/reverse', {
    summary: 'Desfaz o pagamento da conta de um pagador',
    answer: billUndone,
  }),
  reversePrice: get('/payers/:id/payments/:payment/reverse/preview', {
    summary: 'Mostra o que desfazer o pagamento da conta de um pagador muda',
    answer: price,
  }),
};
