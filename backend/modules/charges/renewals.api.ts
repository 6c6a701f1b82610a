import * as z from 'zod/mini';
import { get, post, put } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, id, instant } from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';
import { creditBalance } from '../credits/credits.api.js';
import { newPayment, paymentUndone, paymentDone } from './charges.api.js';

/** `esperando`: only while this many renewals of the plan wait for payment, as they were shown. */
export const renewal = z.optional(z.strictObject({ esperando: z.optional(z.int()) }));
export type Renewal = z.infer<typeof renewal>;

/** The granted lot; `charge_id`: the open charge that it is for, null if it waits for one. */
export const renewed = z.extend(creditBalance, { lot_id: id, charge_id: z.nullable(id) });
export type Renewed = z.infer<typeof renewed>;

/** `emitida`: no charge of the plan was open, so one was issued with the payment. */
export const renewalPaid = z.extend(paymentDone, { emitida: z.boolean() });
export type RenewalPaid = z.infer<typeof renewalPaid>;

/** Whether granted credits need no payment, since they were a gift or were paid elsewhere. */
export const grantWaiver = z.strictObject({ dispensada: z.boolean() });
export type GrantWaiver = z.infer<typeof grantWaiver>;

const openCharge = z.object({ id, falta: z.int(), vencimento: calendarDate });

/** What a renewal has to know of a student. */
export const renewalState = z.object({
  /** Granted credits without money, oldest first; `cobranca`: the open charge for them. */
  esperando: z.array(
    z.object({
      lot_id: id,
      plano_id: id,
      quantidade: z.int(),
      em: instant,
      cobranca: z.nullable(openCharge),
    }),
  ),
  /** Open charges for credits of a plan that were not granted before, the first due first. */
  cobrancas: z.array(z.extend(openCharge, { plano_id: id })),
});
export type RenewalState = z.infer<typeof renewalState>;

export const renewalErrors = {
  'renewals.not_found': { status: 404, title: 'Renovação não encontrada' },
  'renewals.changed': {
    status: 409,
    title: 'O plano foi renovado enquanto isso. Confira antes de renovar de novo',
  },
  'renewals.paid': { status: 409, title: 'A renovação já tem pagamento. Desfaça o pagamento antes' },
  'renewals.charged': { status: 409, title: 'A renovação já tem cobrança. Cancele a cobrança antes' },
  'renewals.used': { status: 409, title: 'Os créditos desta renovação já foram usados' },
} as const satisfies ErrorTable;

export const renewalsApi = {
  show: get('/students/:id/renewal', {
    summary: 'Mostra o que já foi renovado sem pagamento e o que já foi cobrado dos planos de um aluno',
    tags: ['credits'],
    answer: renewalState,
  }),
  renew: post('/students/:id/credits/renew', {
    summary: 'Concede os créditos do plano do aluno, ainda sem pagamento',
    tags: ['credits'],
    body: renewal,
    answer: renewed,
  }),
  undo: post('/students/:id/credits/grants/:lot/undo', {
    summary: 'Desfaz uma renovação sem pagamento',
    tags: ['credits'],
    answer: creditBalance,
  }),
  undoPrice: get('/students/:id/credits/grants/:lot/undo/preview', {
    summary: 'Mostra o que desfazer uma renovação muda',
    tags: ['credits'],
    answer: price,
  }),
  waive: put('/students/:id/credits/grants/:lot/waiver', {
    summary: 'Dispensa o pagamento de uma renovação, ou volta a esperar por ele',
    tags: ['credits'],
    body: grantWaiver,
    answer: created,
  }),
  undoPaid: post('/charges/:id/payments/:payment/undo-renewal', {
    summary: 'Desfaz o pagamento de uma renovação e a cobrança emitida com ele',
    tags: ['charges'],
    answer: paymentUndone,
  }),
  pay: post('/students/:id/credits/renew/payment', {
    summary: 'Registra o pagamento de uma renovação e concede os créditos do plano',
    tags: ['credits'],
    body: newPayment,
    answer: renewalPaid,
    status: 201,
  }),
};
