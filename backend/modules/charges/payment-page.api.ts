import * as z from 'zod/mini';
import { get, post, type RateLimitOptions } from '../../platform/http/calls.api.js';
import { calendarDate, text } from '../../platform/http/common.api.js';
import { owed } from './charge-terms.api.js';
import { chargeStatus, claimed, payee } from './charges.api.js';

const token = text(1, 200);
export const payParams = z.strictObject({ token });
export const paymentClaim = z.strictObject({ token });
export type PaymentClaim = z.infer<typeof paymentClaim>;

/** A charge for everybody with its link: only the first name of the person is shown. */
export const paymentPage = z.object({
  personal: z.string(),
  /** Null where somebody else pays since the link was made: who has it may be either. */
  primeiro_nome: z.nullable(z.string()),
  descricao: z.string(),
  valor: z.int(),
  pago: z.int(),
  falta: z.int(),
  hoje: owed,
  pedido: z.int(),
  vencimento: calendarDate,
  situacao: chargeStatus,
  avisada: z.boolean(),
  /**
   * What was received from whoever has the link, without what was refunded. `recibo`: the path of the receipt's page, if one was issued.
   */
  pagamentos: z.array(z.object({ valor: z.int(), data: calendarDate, recibo: z.nullable(z.string()) })),
  /** "Copia e cola", and whom it pays. Null if nothing is left to pay, or the trainer has set no Pix key. */
  pix: z.nullable(z.extend(payee, { codigo: z.string() })),
  /** Until when it has its discount, and what comes after its due date. */
  adiante: z.array(z.string()),
  /** The charges, where it is what a payer owes in all. */
  itens: z.optional(
    z.array(
      z.object({
        aluno: z.string(),
        descricao: z.string(),
        vencimento: calendarDate,
        vencida: z.boolean(),
        total: z.int(),
      }),
    ),
  ),
  /** Changes with any of the above. */
  versao: z.string(),
});
export type PaymentPage = z.infer<typeof paymentPage>;

/** Pages that are open ask about every two seconds, and many phones have the same address. */
const LOOKS: RateLimitOptions = { name: 'payment-looks', points: 600, seconds: 60, byProcess: true };
const CLAIMS: RateLimitOptions = { name: 'payments', points: 100, seconds: 600 };

export const paymentPageApi = {
  show: get('/pay/:token', {
    summary: 'Mostra uma cobrança a quem tem o link',
    public: true,
    params: payParams,
    answer: paymentPage,
    limit: LOOKS,
  }),
  claim: post('/pay/claim', {
    summary: 'Avisa que uma cobrança foi paga',
    public: true,
    body: paymentClaim,
    answer: claimed,
    limit: CLAIMS,
  }),
};
