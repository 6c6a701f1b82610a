import * as z from 'zod/mini';
import { STUDENT_WRITES, get, patch, post, put } from '../../platform/http/calls.api.js';
import {
  atMoment,
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  momentQuery,
  name,
  page,
  pageQuery,
  rule,
  text,
  undoable,
} from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';
import { month, paymentMethod } from '../finance/finance.api.js';
import { chargeTerms, owed } from './charge-terms.api.js';

export const chargeErrors = {
  'charges.not_found': { status: 404, title: 'Cobrança não encontrada' },
  'charges.payment_not_found': { status: 404, title: 'Pagamento não encontrado' },
  'charges.link_not_valid': { status: 404, title: 'Link inválido ou expirado' },
  'charges.session_charged': { status: 409, title: 'Esta sessão já foi cobrada' },
  'charges.value_unknown': { status: 409, title: 'Esta sessão ainda não tem valor. Cobre esta à parte' },
  'charges.total_changed': { status: 409, title: 'O valor destas sessões mudou. Confira e cobre de novo' },
  'charges.nothing_to_charge': { status: 409, title: 'Esta sessão não tem nada a cobrar' },
  'charges.grant_settled': {
    status: 409,
    title: 'A renovação desta cobrança foi desfeita, dispensada ou cobrada de novo. Emita outra cobrança',
  },
  'charges.cancelled': { status: 409, title: 'A cobrança está cancelada' },
  'charges.pix_told': { status: 409, title: 'Este Pix já foi registrado pelo aviso do provedor' },
  'charges.already_paid': { status: 409, title: 'A cobrança já está paga' },
  'charges.has_payments': { status: 409, title: 'A cobrança já tem pagamento. Desfaça o pagamento antes' },
  'charges.credits_used': { status: 409, title: 'Os créditos deste pagamento já foram usados' },
  'charges.pix_undecided': { status: 409, title: 'Este Pix já está em “Pix a decidir”' },
  'charges.not_paid': { status: 409, title: 'A cobrança ainda não está paga. Desfaça o pagamento' },
  'charges.payment_changed': { status: 409, title: 'Este pagamento mudou' },
  'charges.more_than_paid': { status: 422, title: 'O valor é maior que o pagamento' },
  'charges.more_credits': { status: 422, title: 'São mais créditos do que a cobrança deu' },
  'charges.more_than_due': { status: 422, title: 'O valor é maior que o que falta pagar' },
} as const satisfies ErrorTable;

/** What a charge is for: a plan, a session without a credit, a cancellation fee, a month of a plan, or anything else. */
const chargeOrigin = z.enum(['plano', 'sessao', 'taxa', 'mensalidade', 'avulsa']);
export type ChargeOrigin = z.infer<typeof chargeOrigin>;

/** `vencida` is computed from the current day in the tenant's zone. */
export const chargeStatus = z.enum(['aberta', 'vencida', 'paga', 'cancelada']);
export type ChargeStatus = z.infer<typeof chargeStatus>;

const reminderChannel = z.enum(['whatsapp', 'email']);
export type ReminderChannel = z.infer<typeof reminderChannel>;

/** Days from the issue of a charge to its due date, unless another one is chosen. */
export const DAYS_TO_PAY = 3;

const amount = z
  .int()
  .check(
    z.positive('Valor deve ser maior que zero'),
    z.maximum(100_000_000, 'Use no máximo R$ 1.000.000,00'),
  );

const terms = {
  descricao: name(1, 120, 'Descrição é obrigatória'),
  valor: amount,
  vencimento: calendarDate,
};

/**
 * `plano_id`: full payment grants the plan's credits, unless they were granted before: by a renewal without payment, for which the
 * charge then is, or otherwise (`creditos_ja_concedidos`).
 * `session_id`: a session that used no credit or has a fee; each can be charged once.
 */
export const newCharge = z.strictObject({
  student_id: id,
  plano_id: z.optional(z.nullable(id)),
  session_id: z.optional(z.nullable(id)),
  creditos_ja_concedidos: z.optional(z.boolean()),
  ...terms,
});
export type NewCharge = z.infer<typeof newCharge>;

/** The most sessions that are charged at once. */
const MOST_SESSIONS = 50;
const eachOnce = (message: string) =>
  rule((ids: readonly string[]) => new Set(ids).size === ids.length, message, []);
const sessionIds = z
  .array(id)
  .check(
    z.minLength(1, 'Escolha as sessões'),
    z.maxLength(MOST_SESSIONS, `Cobre no máximo ${MOST_SESSIONS} sessões de uma vez`),
    eachOnce('Cada sessão uma vez só'),
  );

/** Sessions of one student that used no credit or have a fee; each gets its charge. `total`: cents, as they were shown. */
export const sessionCharges = z.strictObject({ student_id: id, session_ids: sessionIds, total: amount });
export type SessionCharges = z.infer<typeof sessionCharges>;
/** In the order of the sessions. */
const issuedCharges = z.object({ ids: z.array(id) });

/** Charges that are cancelled together, all or none. */
export const chargesToCancel = z.strictObject({
  ids: z
    .array(id)
    .check(
      z.minLength(1, 'Escolha as cobranças'),
      z.maxLength(MOST_SESSIONS, `Cancele no máximo ${MOST_SESSIONS} cobranças de uma vez`),
      eachOnce('Cada cobrança uma vez só'),
    ),
});
export type ChargesToCancel = z.infer<typeof chargesToCancel>;

const someTerms = z.partial(z.strictObject(terms));

/** Absent fields stay unchanged. */
export const chargeChanges = z.strictObject(undoable(someTerms.shape));
export type ChargeChanges = z.infer<typeof chargeChanges>;

/** A `valor` below the amount due leaves the rest open. */
export const newPayment = z.strictObject({
  valor: amount,
  data: calendarDate,
  metodo_pagamento: paymentMethod,
  /** Record it although the provider has reported a Pix of this charge, amount and date. */
  mesmo_assim: z.optional(z.boolean()),
});
export type NewPayment = z.infer<typeof newPayment>;

/**
 * A refund of all or part of a payment, and the credits that are taken back. `valor_atual`: the payment's amount as it was
 * shown, so that a refund is not made twice from two windows.
 */
export const refund = z.strictObject({
  valor: amount,
  valor_atual: amount,
  creditos: z.int().check(z.nonnegative(), z.maximum(1000)),
  motivo: text(3, 200, 'Motivo deve ter pelo menos 3 caracteres', 'Informe o motivo'),
});
export type Refund = z.infer<typeof refund>;

/**
 * The day for which the student promises payment; null withdraws the promise. `se_ainda`: only while this is the promise, null for
 * none; refused where it is another one by now.
 */
export const promise = z.strictObject({
  dia: z.nullable(calendarDate),
  se_ainda: z.optional(z.nullable(calendarDate)),
});
export type Promised = z.infer<typeof promise>;

/** Cents that are still to be given back; fewer where the trainer keeps them for something else. `se_ainda`: while it is so many. */
export const returnChange = z.strictObject({
  devolver: z.int().check(z.nonnegative(), z.maximum(100_000_000)),
  se_ainda: z.int(),
});
export type ReturnChange = z.infer<typeof returnChange>;

const payment = z.object({
  id,
  transaction_id: id,
  valor: z.int(),
  data: calendarDate,
  metodo_pagamento: paymentMethod,
  estornado: z.boolean(),
  /** Refunded cents; `valor` is the kept part, 0 if nothing is. */
  devolvido: z.int(),
  /** Of `valor`; absent from what was paid before charges had terms, and once it was refunded. */
  multa: z.optional(z.int()),
  juros: z.optional(z.int()),
  desconto: z.optional(z.int()),
  /** Fine and interest that were not asked for. */
  dispensado: z.optional(z.int()),
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
  /** Without fine, interest and discount, which `hoje` has. */
  falta: z.int(),
  hoje: owed,
  /** What is asked now: that of today, or of a booking first the part that makes it stand. */
  pedido: z.int(),
  /** What was paid and is to be given back. */
  devolver: z.int(),
  termos: z.nullable(chargeTerms),
  vencimento: calendarDate,
  situacao: chargeStatus,
  /** Credits that full payment grants. */
  creditos: z.int(),
  /** The credits were granted before, as this lot, and the charge is for them. */
  grant_id: z.nullable(id),
  emitida_em: instant,
  /** When the payer reported the payment ("Já paguei"); null once a payment is recorded. */
  avisada_em: z.nullable(instant),
  /** The day for which payment was promised. */
  prometida: z.nullable(calendarDate),
  pagamentos: z.array(payment),
});
export type Charge = z.infer<typeof charge>;

/** A charge with the address of its payment page, and the message that contains it. */
export const chargeDetail = z.extend(charge, {
  ...momentQuery,
  /** Who pays for the student; null where the student does, and of a past moment. */
  pagador: z.nullable(z.object({ id, nome: z.string() })),
  /** Null if nothing is left to pay. */
  link: z.nullable(z.string()),
  mensagem: z.nullable(z.string()),
  /** Opens WhatsApp with the message; null without a number. */
  whatsapp: z.nullable(z.string()),
  /** Whether the student was sent the link, or a reminder. */
  enviada: z.boolean(),
  /** "Copia e cola"; null if nothing is left to pay, or no Pix key is set. */
  pix: z.nullable(z.string()),
  /**
   * Set if a provider is connected and something is left to pay: whether the code is from the provider, which then reports the
   * payment, and the last error.
   */
  provedor: z.nullable(z.object({ fez: z.boolean(), falha: z.nullable(z.string()) })),
});
export type ChargeDetail = z.infer<typeof chargeDetail>;

/** `a_receber`: open and overdue charges. `a_devolver`: those of which something is to be given back. `mes`: the month of the due date. */
export const chargeList = z.strictObject({
  ...pageQuery,
  ...momentQuery,
  situacao: z.optional(z.enum(['a_receber', 'a_devolver', ...chargeStatus.options])),
  student_id: z.optional(id),
  session_id: z.optional(id),
  mes: z.optional(month),
});
export type ChargeList = z.infer<typeof chargeList>;

/** `a_receber` by the earliest due date first, others by the latest. Totals include all pages. */
export const chargePage = z.extend(page(charge), {
  ...momentQuery,
  total: z.object({ quantidade: z.int(), valor: z.int(), falta: z.int() }),
});
export type ChargePage = z.infer<typeof chargePage>;

/** The effect of a payment: whether it settled the charge, and the granted credits. */
export const paymentDone = z.object({ id, payment_id: id, quitada: z.boolean(), creditos: z.int() });
export type PaymentDone = z.infer<typeof paymentDone>;

/** `pix_a_decidir`: the payment was a Pix that a provider reported, which is to be decided again. */
export const paymentUndone = z.object({ id, pix_a_decidir: z.boolean() });
export type PaymentUndone = z.infer<typeof paymentUndone>;

/** Whom the payer's bank names: `documento` masked, `banco`, both if the trainer has said them. */
export const payee = z.object({
  nome: z.string(),
  documento: z.nullable(z.string()),
  banco: z.nullable(z.string()),
});

/** A charge as its student sees it, by due date. */
export const ownCharge = z.object({
  id,
  descricao: z.string(),
  valor: z.int(),
  pago: z.int(),
  falta: z.int(),
  hoje: owed,
  vencimento: calendarDate,
  situacao: chargeStatus,
  /** The student reported the payment ("Já paguei"). */
  avisada: z.boolean(),
  /** "Copia e cola"; null if the trainer has set no Pix key, and of a past moment. */
  pix: z.nullable(z.string()),
  /** Null without a code. */
  recebe: z.nullable(payee),
  /** Until when it has its discount, and what comes after its due date. */
  adiante: z.array(z.string()),
});
export type OwnCharge = z.infer<typeof ownCharge>;
/** The student's open charges, and what was paid for since yesterday, which an open sheet then says. */
export const ownCharges = z.object({
  ...momentQuery,
  items: z.array(ownCharge),
  pagas: z.array(z.object({ id, descricao: z.string(), pago: z.int() })),
  /** All that is open of whom the account's payer pays for, and where it is paid at once; missing where nothing is open but one charge of this student. */
  conta: z.optional(z.object({ alunos: z.string(), total: z.int(), link: z.string() })),
});
export type OwnCharges = z.infer<typeof ownCharges>;

export const claimed = z.object({ ok: z.literal(true) });

export const chargesApi = {
  list: get('/charges', { summary: 'Lista cobranças', query: chargeList, answer: chargePage }),
  get: get('/charges/:id', { summary: 'Mostra uma cobrança', query: atMoment, answer: chargeDetail }),
  change: patch('/charges/:id', { summary: 'Altera uma cobrança', body: chargeChanges, answer: created }),
  cancel: post('/charges/:id/cancel', { summary: 'Cancela uma cobrança', answer: created }),
  cancelPrice: get('/charges/:id/cancel/preview', {
    summary: 'Mostra o que cancelar uma cobrança muda',
    answer: price,
  }),
  restore: post('/charges/:id/restore', {
    summary: 'Desfaz o cancelamento de uma cobrança',
    answer: created,
  }),
  pay: post('/charges/:id/payments', {
    summary: 'Registra o pagamento de uma cobrança',
    body: newPayment,
    answer: paymentDone,
    status: 201,
  }),
  reverse: post('/charges/:id/payments/:payment/reverse', {
    summary: 'Desfaz um pagamento',
    answer: paymentUndone,
  }),
  reversePrice: get('/charges/:id/payments/:payment/reverse/preview', {
    summary: 'Mostra o que desfazer um pagamento muda',
    answer: price,
  }),
  restorePrice: get('/charges/:id/restore/preview', {
    summary: 'Mostra o que desfazer o cancelamento de uma cobrança muda',
    answer: price,
  }),
  refund: post('/charges/:id/payments/:payment/refund', {
    summary: 'Devolve dinheiro de uma cobrança paga',
    body: refund,
    answer: created,
    status: 201,
  }),
  promise: put('/charges/:id/promise', {
    summary: 'Anota para quando o pagamento foi prometido',
    body: promise,
    answer: created,
  }),
  keep: put('/charges/:id/return', {
    summary: 'Muda quanto do pagamento de uma reserva ainda é para devolver',
    body: returnChange,
    answer: created,
  }),
  send: post('/charges/:id/sent', {
    summary: 'Anota que a cobrança foi enviada pelo WhatsApp',
    answer: created,
  }),
  remind: post('/charges/:id/reminders', {
    summary: 'Anota que o lembrete foi enviado pelo WhatsApp',
    answer: created,
  }),
  issue: post('/charges', { summary: 'Emite uma cobrança', body: newCharge, answer: created, status: 201 }),
  issueForSessions: post('/charges/sessions', {
    summary: 'Cobra várias sessões de um aluno, cada uma com a sua cobrança',
    body: sessionCharges,
    answer: issuedCharges,
    status: 201,
  }),
  cancelSeveral: post('/charges/cancel', {
    summary: 'Cancela várias cobranças, todas ou nenhuma',
    body: chargesToCancel,
    answer: issuedCharges,
  }),
  replaceLink: post('/charges/:id/link', {
    summary: 'Troca o link de pagamento: o anterior deixa de valer',
    answer: created,
  }),
};

export const ownChargesApi = {
  list: get('/student/charges', {
    summary: 'Lista o que o próprio aluno tem a pagar',
    roles: ['aluno'],
    byLink: true,
    query: atMoment,
    answer: ownCharges,
  }),
  claim: post('/student/charges/:id/claim', {
    summary: 'Avisa que o próprio aluno pagou uma cobrança',
    roles: ['aluno'],
    byLink: true,
    answer: claimed,
    limit: STUDENT_WRITES,
  }),
};
