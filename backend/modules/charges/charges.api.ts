import * as z from 'zod/mini';
import {
  calendarDate,
  type ErrorTable,
  id,
  instant,
  page,
  pageQuery,
  text,
} from '../../platform/http/common.api.js';
import { month, paymentMethod } from '../finance/finance.api.js';

export const chargeErrors = {
  'charges.not_found': { status: 404, title: 'Cobrança não encontrada' },
  'charges.payment_not_found': { status: 404, title: 'Pagamento não encontrado' },
  'charges.link_not_valid': { status: 404, title: 'Link inválido ou expirado' },
  'charges.session_charged': { status: 409, title: 'Esta sessão já foi cobrada' },
  'charges.nothing_to_charge': { status: 409, title: 'Esta sessão não tem nada a cobrar' },
  'charges.cancelled': { status: 409, title: 'A cobrança está cancelada' },
  'charges.already_paid': { status: 409, title: 'A cobrança já está paga' },
  'charges.has_payments': { status: 409, title: 'A cobrança já tem pagamento. Desfaça o pagamento antes' },
  'charges.credits_used': { status: 409, title: 'Os créditos deste pagamento já foram usados' },
  'charges.pix_undecided': { status: 409, title: 'Este Pix ainda não foi decidido' },
  'charges.not_paid': { status: 409, title: 'A cobrança ainda não está paga. Desfaça o pagamento' },
  'charges.payment_changed': { status: 409, title: 'Este pagamento mudou' },
  'charges.more_than_paid': { status: 422, title: 'O valor é maior que o pagamento' },
  'charges.more_credits': { status: 422, title: 'São mais créditos do que a cobrança deu' },
  'charges.more_than_due': { status: 422, title: 'O valor é maior que o que falta pagar' },
} as const satisfies ErrorTable;

/** What it is for: a plan, a session without a credit, the fee of a cancellation, a month of a plan, or anything else. */
const chargeOrigin = z.enum(['plano', 'sessao', 'taxa', 'mensalidade', 'avulsa']);
export type ChargeOrigin = z.infer<typeof chargeOrigin>;

/** `vencida` follows from the day, in the tenant's zone. */
export const chargeStatus = z.enum(['aberta', 'vencida', 'paga', 'cancelada']);
export type ChargeStatus = z.infer<typeof chargeStatus>;

const reminderChannel = z.enum(['whatsapp', 'email']);
export type ReminderChannel = z.infer<typeof reminderChannel>;

const amount = z
  .int()
  .check(
    z.positive('Valor deve ser maior que zero'),
    z.maximum(100_000_000, 'Use no máximo R$ 1.000.000,00'),
  );

const terms = {
  descricao: text(1, 120, 'Descrição é obrigatória'),
  valor: amount,
  vencimento: calendarDate,
};

/**
 * `plano_id`: full payment grants the plan's credits, unless `creditos_ja_concedidos` (it was renewed before).
 * `session_id`: one that used no credit or has a fee; each is charged once.
 */
export const newCharge = z.strictObject({
  student_id: id,
  plano_id: z.optional(z.nullable(id)),
  session_id: z.optional(z.nullable(id)),
  creditos_ja_concedidos: z.optional(z.boolean()),
  ...terms,
});
export type NewCharge = z.infer<typeof newCharge>;

export const chargeChanges = z.partial(z.strictObject(terms));
export type ChargeChanges = z.infer<typeof chargeChanges>;

/** `valor` below what is due leaves the rest open. */
export const newPayment = z.strictObject({
  valor: amount,
  data: calendarDate,
  metodo_pagamento: paymentMethod,
});
export type NewPayment = z.infer<typeof newPayment>;

/**
 * Money that goes back to the student, all of a payment or a part, and the credits that are taken back for it. `valor_atual`: what
 * the payment amounts to as it was shown, so that one refund is not made twice from two windows.
 */
export const refund = z.strictObject({
  valor: amount,
  valor_atual: amount,
  creditos: z.int().check(z.nonnegative(), z.maximum(1000)),
  motivo: text(3, 200, 'Informe o motivo'),
});
export type Refund = z.infer<typeof refund>;

/** When the student says that it will be paid; null takes that back. */
export const promise = z.strictObject({ dia: z.nullable(calendarDate) });
export type Promised = z.infer<typeof promise>;

export const paymentParams = z.strictObject({ id, payment: id });

const payment = z.object({
  id,
  transaction_id: id,
  valor: z.int(),
  data: calendarDate,
  metodo_pagamento: paymentMethod,
  estornado: z.boolean(),
  /** Cents that went back to the student; `valor` is what was kept. */
  devolvido: z.int(),
});
export type ChargePayment = z.infer<typeof payment>;

/** Amounts in cents. */
export const charge = z.object({
  id,
  student_id: id,
  /** Null once the person is forgotten. */
  student_nome: z.nullable(z.string()),
  plano_id: z.nullable(id),
  plano_nome: z.nullable(z.string()),
  session_id: z.nullable(id),
  origem: chargeOrigin,
  descricao: z.nullable(z.string()),
  valor: z.int(),
  pago: z.int(),
  falta: z.int(),
  vencimento: calendarDate,
  situacao: chargeStatus,
  /** Credits that full payment grants. */
  creditos: z.int(),
  emitida_em: instant,
  /** When the payer said that it was paid; null once that is settled. */
  avisada_em: z.nullable(instant),
  /** The day for which payment was promised. */
  prometida: z.nullable(calendarDate),
  pagamentos: z.array(payment),
});
export type Charge = z.infer<typeof charge>;

/** With the address of its payment page, and the message that takes it there. */
export const chargeDetail = z.extend(charge, {
  /** Null where nothing is left to pay. */
  link: z.nullable(z.string()),
  mensagem: z.nullable(z.string()),
  /** Opens WhatsApp with the message; null without a number. */
  whatsapp: z.nullable(z.string()),
  /** "Copia e cola"; null where nothing is left to pay, or no key is set. */
  pix: z.nullable(z.string()),
  /**
   * Where a provider is connected and something is left to pay: whether the code is its own, by which it tells of the payment, and
   * what went wrong with it the last time.
   */
  provedor: z.nullable(z.object({ fez: z.boolean(), falha: z.nullable(z.string()) })),
});
export type ChargeDetail = z.infer<typeof chargeDetail>;

/** `a_receber`: open and overdue ones. `mes`: due in it. */
export const chargeList = z.strictObject({
  ...pageQuery,
  situacao: z.optional(z.enum(['a_receber', ...chargeStatus.options])),
  student_id: z.optional(id),
  mes: z.optional(month),
});
export type ChargeList = z.infer<typeof chargeList>;

/** Earliest due date first where something is to be received, otherwise the latest. Totals count all pages. */
export const chargePage = z.extend(page(charge), {
  total: z.object({ quantidade: z.int(), valor: z.int(), falta: z.int() }),
});
export type ChargePage = z.infer<typeof chargePage>;

/** What a payment did: whether it settled the charge, and the credits that were granted. */
export const paymentDone = z.object({ id, payment_id: id, quitada: z.boolean(), creditos: z.int() });
export type PaymentDone = z.infer<typeof paymentDone>;

/** A charge as its student sees it, by due date. */
export const ownCharge = z.object({
  id,
  descricao: z.string(),
  valor: z.int(),
  falta: z.int(),
  vencimento: calendarDate,
  situacao: chargeStatus,
  /** The student said that it was paid. */
  avisada: z.boolean(),
  /** "Copia e cola"; null where the trainer has set no key. */
  pix: z.nullable(z.string()),
});
export type OwnCharge = z.infer<typeof ownCharge>;
/** What the student has yet to pay. */
export const ownCharges = z.object({ items: z.array(ownCharge) });
export type OwnCharges = z.infer<typeof ownCharges>;

const token = text(1, 200);
export const payParams = z.strictObject({ token });
export const paymentClaim = z.strictObject({ token });
export type PaymentClaim = z.infer<typeof paymentClaim>;
export const claimed = z.object({ ok: z.literal(true) });

/** What whoever has the link sees: nothing of the person but the first name. */
export const paymentPage = z.object({
  personal: z.string(),
  primeiro_nome: z.string(),
  descricao: z.string(),
  valor: z.int(),
  falta: z.int(),
  vencimento: calendarDate,
  situacao: chargeStatus,
  avisada: z.boolean(),
  /** "Copia e cola" and its QR Code as SVG; null where nothing is to pay, or the trainer has set no key. */
  pix: z.nullable(z.object({ codigo: z.string(), qr: z.string() })),
});
export type PaymentPage = z.infer<typeof paymentPage>;
