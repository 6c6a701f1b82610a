import * as z from 'zod/mini';
import { post, get, put } from '../../platform/http/calls.api.js';
import {
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  momentQuery,
  name,
  optionalText,
  rule,
  text,
} from '../../platform/http/common.api.js';
import { document } from '../students/document.api.js';
import { month, paymentMethod } from '../finance/finance.api.js';

export const receiptErrors = {
  'receipts.not_found': { status: 404, title: 'Recibo não encontrado' },
  'receipts.code_not_found': { status: 404, title: 'Código de verificação desconhecido' },
  'receipts.link_not_valid': { status: 404, title: 'Link inválido ou expirado' },
  'receipts.not_a_receita': { status: 409, title: 'Só receitas têm recibo' },
  'receipts.reversed': { status: 409, title: 'A receita foi estornada e não pode ter recibo' },
  'receipts.already_issued': { status: 409, title: 'Esta receita já tem recibo' },
  'receipts.issuer_missing': { status: 409, title: 'Informe seus dados para os recibos antes' },
  'receipts.no_rendimentos': { status: 404, title: 'Nenhuma receita neste mês' },
  'receipts.no_pagamentos': { status: 404, title: 'Nenhuma despesa de aluguel ou academia neste mês' },
  'receipts.no_address': { status: 409, title: 'O aluno não tem e-mail no cadastro' },
} as const satisfies ErrorTable;

export const receiptIssuer = z.strictObject({
  nome: name(2, 120, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'),
  documento: document,
  cref: optionalText(20),
  cidade: text(1, 60, 'Informe a cidade'),
});
export type ReceiptIssuer = z.infer<typeof receiptIssuer>;

/** `emitente` is null before it is set. */
export const shownReceiptIssuer = z.object({
  emitente: z.nullable(
    z.object({
      nome: z.string(),
      documento: z.string(),
      cref: z.nullable(z.string()),
      cidade: z.string(),
    }),
  ),
  /** The trainer's name, as the form's initial value. */
  nome: z.string(),
  /** The trainer's own CPF as the form's initial value, before the issuer is set; null if the account has none. */
  cpf: z.nullable(z.string()),
});
export type ShownReceiptIssuer = z.infer<typeof shownReceiptIssuer>;

/** Payer, purpose and period. `payer_id`: the payer whose record it is, whatever the name; null: the student or somebody else. */
export const newReceipt = z
  .strictObject({
    payer_id: z._default(z.nullable(id), null),
    nome: name(2, 120, 'Informe quem pagou'),
    /** CPF, or CNPJ of a company. */
    cpf: z.nullable(document),
    descricao: text(1, 200, 'Informe a que se refere'),
    de: calendarDate,
    ate: calendarDate,
  })
  .check(rule(({ de, ate }) => de <= ate, 'O fim do período vem antes do início', ['ate']));
export type NewReceipt = z.infer<typeof newReceipt>;

const channel = z.enum(['whatsapp', 'email']);
export type ReceiptChannel = z.infer<typeof channel>;
export const receiptSending = z.strictObject({ canal: channel });
export type ReceiptSending = z.infer<typeof receiptSending>;

/** Texts are null after their retention. Amounts in cents. */
const receipt = z.object({
  id,
  numero: z.int(),
  nome: z.nullable(z.string()),
  cpf: z.nullable(z.string()),
  descricao: z.nullable(z.string()),
  valor: z.int(),
  data: calendarDate,
  metodo_pagamento: paymentMethod,
  de: calendarDate,
  ate: calendarDate,
  emitido_em: instant,
  /** When the receita was reversed; null while the receipt is valid. */
  cancelado_em: z.nullable(instant),
  codigo: z.string(),
  /** Names the payment's entry of the log. Verified at /verificar. */
  lacre: z.string(),
  /** Secret address of its page. */
  link: z.string(),
  /** Opens WhatsApp with the message; null without a number. */
  whatsapp: z.nullable(z.string()),
  /** Whether the student has an e-mail address. */
  por_email: z.boolean(),
});
export type Receipt = z.infer<typeof receipt>;

/** The receipt of a receita, or initial values for the form. */
export const shownReceipt = z.object({
  recibo: z.nullable(receipt),
  /** What was paid at once has one receipt: what each receita of it is; empty for one. */
  partes: z.array(
    z.object({ aluno: z.nullable(z.string()), descricao: z.nullable(z.string()), valor: z.int() }),
  ),
  sugestao: z.object({
    payer_id: z.nullable(id),
    nome: z.string(),
    cpf: z.string(),
    descricao: z.string(),
    de: calendarDate,
    ate: calendarDate,
  }),
});
export type ShownReceipt = z.infer<typeof shownReceipt>;

/** `id`: the receipt's, by which it is sent: that of its receita, or of the payment that its receitas are parts of. */
const receiptIssued = z.object({ id, numero: z.int() });

export const receiptLinkParams = z.strictObject({ token: text(1, 200) });

/** The files that the Carnê-Leão Web imports: receitas, and despesas of the cash book. */
const webFile = z.enum(['rendimentos', 'pagamentos'], 'Arquivo desconhecido');
export type WebFile = z.infer<typeof webFile>;
export const webFileParams = z.strictObject({ month, file: webFile });
export type WebFileParams = z.infer<typeof webFileParams>;
/** `parte`: which file of 1,000 lines; default: 1. */
export const webFileQuery = z.strictObject({
  ...momentQuery,
  parte: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 1),
});
export type WebFileQuery = z.infer<typeof webFileQuery>;

export const receiptIssuerApi = {
  show: get('/settings/receipts', {
    summary: 'Mostra os dados de quem emite os recibos',
    answer: shownReceiptIssuer,
  }),
  set: put('/settings/receipts', {
    summary: 'Salva os dados de quem emite os recibos',
    body: receiptIssuer,
    answer: created,
  }),
};

export const receiptsApi = {
  show: get('/transactions/:id/receipt', {
    summary: 'Mostra o recibo de uma receita, ou com o que ele começa',
    tags: ['receipts'],
    answer: shownReceipt,
  }),
  issue: post('/transactions/:id/receipt', {
    summary: 'Emite o recibo de uma receita',
    tags: ['receipts'],
    body: newReceipt,
    answer: receiptIssued,
    status: 201,
  }),
  send: post('/transactions/:id/receipt/send', {
    summary: 'Envia o recibo por e-mail, ou anota que foi enviado pelo WhatsApp',
    tags: ['receipts'],
    body: receiptSending,
    answer: created,
  }),
};
