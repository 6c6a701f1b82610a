import * as z from 'zod/mini';
import { post } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, id, rule, text } from '../../platform/http/common.api.js';
import { paymentDone } from '../charges/charges.api.js';
import { expenseCategory, paymentMethod } from '../finance/finance.api.js';

export const bankLineErrors = {
  'bank_lines.decided': { status: 409, title: 'Esta linha do extrato já foi registrada' },
  'bank_lines.alike': { status: 409, title: 'Já há uma linha registrada com este dia e valor' },
  'bank_lines.not_found': { status: 404, title: 'Linha do extrato não encontrada' },
  'bank_lines.parts_differ': { status: 422, title: 'A soma das partes é diferente do valor da linha' },
  'bank_lines.not_refund': { status: 409, title: 'Esta devolução mudou ou não é deste valor' },
  'bank_lines.refund_taken': {
    status: 409,
    title: 'Outra linha do extrato já foi reconhecida como esta devolução',
  },
  'bank_lines.not_income': { status: 422, title: 'Só uma entrada paga uma cobrança' },
} as const satisfies ErrorTable;

/** Maximum of lines in one comparison. */
const MOST_LINES = 200;
const MOST_EQUAL = 3000;
const MOST_PARTS = 10;
const MOST_CENTS = 10_000_000_000;

const said = {
  /** Key of the line, the same in every file: the bank's id, or else all of its text. */
  chave: text(1, 500, 'Informe a linha'),
  data: calendarDate,
  /** Cents; negative for outgoing money. */
  valor: z.int().check(
    z.minimum(-MOST_CENTS),
    z.maximum(MOST_CENTS),
    z.refine((cents) => cents !== 0, { error: 'Valor deve ser diferente de zero' }),
  ),
};

/** Number of lines with this day and amount in the statement; default: 1. */
const iguais = z.optional(z.int().check(z.minimum(1), z.maximum(MOST_EQUAL)));
/** `mesmo_assim`: record the line although as many lines of this day and amount are already recorded. */
const twins = { iguais, mesmo_assim: z.optional(z.boolean()) };
export interface LineTwins {
  iguais?: number | undefined;
  mesmo_assim?: boolean | undefined;
}

const bankLine = z.strictObject({ ...said, texto: text(0, 300), iguais });
export type BankLine = z.infer<typeof bankLine>;

export const bankLines = z.strictObject({ linhas: z.array(bankLine).check(z.maxLength(MOST_LINES)) });
export type BankLines = z.infer<typeof bankLines>;

export const certainty = z.enum(['alta', 'media', 'baixa']);
export type Certainty = z.infer<typeof certainty>;

/** Why a charge is proposed. */
const likeness = z.enum(['valor', 'parte_do_valor', 'nome', 'primeiro_nome', 'data']);
export type Likeness = z.infer<typeof likeness>;

const candidate = z.object({
  charge_id: id,
  /** Null once the person is forgotten. */
  student_nome: z.nullable(z.string()),
  descricao: z.nullable(z.string()),
  falta: z.int(),
  vencimento: calendarDate,
  certeza: certainty,
  porque: z.array(likeness),
});
export type Candidate = z.infer<typeof candidate>;

/** `registrada`: the line paid a charge, was recorded or is a refund, and that was not reversed. `fora`: it was left out. */
const lineState = z.enum(['nova', 'registrada', 'fora']);

const comparedLine = z.object({
  chave: z.string(),
  situacao: lineState,
  /** Most likely first. */
  candidatas: z.array(candidate),
  /** An entry with the same amount within three days that belongs to no line. */
  parecida: z.nullable(z.object({ id, descricao: z.nullable(z.string()), data: calendarDate })),
  /** Of an outgoing line: the refund that it may be, which was recorded within some days. `id`: the refunded receita. */
  devolucao: z.nullable(
    z.object({
      id,
      student_nome: z.nullable(z.string()),
      descricao: z.nullable(z.string()),
      dia: calendarDate,
    }),
  ),
  /** The student or guardian whose name the text of an incoming line has, if it is one. */
  aluno: z.nullable(z.object({ id, nome: z.string() })),
  /** As many lines of this day and amount are recorded as the statement has, so it may be one of them from another file. */
  repetida: z.boolean(),
});
export type ComparedLine = z.infer<typeof comparedLine>;
/** In the order of the lines. */
export const comparedLines = z.object({ items: z.array(comparedLine) });
export type ComparedLines = z.infer<typeof comparedLines>;

export const lineSettlement = z.strictObject({ ...said, ...twins, charge_id: id });
export type LineSettlement = z.infer<typeof lineSettlement>;

/** Splits a line over several charges, for example of a family; the parts add up to its amount. */
export const lineSplit = z.strictObject({
  ...said,
  ...twins,
  partes: z
    .array(z.strictObject({ charge_id: id, valor: z.int().check(z.positive(), z.maximum(MOST_CENTS)) }))
    .check(
      z.minLength(2, 'Escolha pelo menos duas cobranças'),
      z.maxLength(MOST_PARTS, `Escolha até ${MOST_PARTS} cobranças`),
      rule(
        (parts) => new Set(parts.map(({ charge_id }) => charge_id)).size === parts.length,
        'Cobrança repetida',
        [],
      ),
    ),
});
export type LineSplit = z.infer<typeof lineSplit>;

/** Ids of the recorded payments, in the order of the parts. */
export const lineSplitDone = z.object({ pagamentos: z.array(id) });
export type LineSplitDone = z.infer<typeof lineSplitDone>;

/** An entry for the line: a receita for incoming money, otherwise a despesa. */
export const lineEntry = z.strictObject({
  ...said,
  ...twins,
  descricao: text(1, 200, 'Descrição é obrigatória'),
  metodo_pagamento: paymentMethod,
  categoria: z.nullable(expenseCategory),
  /** Only for a receita. */
  student_id: z.optional(z.nullable(id)),
});
export type LineEntry = z.infer<typeof lineEntry>;

/** Takes an outgoing line for the refund of this receita. */
export const lineRefund = z.strictObject({ ...said, ...twins, transaction_id: id });
export type LineRefund = z.infer<typeof lineRefund>;

export const lineLeft = z.strictObject(said);
export type LineLeft = z.infer<typeof lineLeft>;

export const lineName = z.strictObject({ chave: said.chave });
export type LineName = z.infer<typeof lineName>;

export const bankLinesApi = {
  settle: post('/bank-lines/settle', {
    summary: 'Dá baixa em uma cobrança pela linha do extrato',
    body: lineSettlement,
    answer: paymentDone,
    status: 201,
  }),
  split: post('/bank-lines/split', {
    summary: 'Divide a linha do extrato entre cobranças',
    body: lineSplit,
    answer: lineSplitDone,
    status: 201,
  }),
  undoPayments: post('/bank-lines/undo-payments', {
    summary: 'Desfaz os pagamentos que a linha do extrato registrou',
    body: lineName,
    answer: created,
  }),
  record: post('/bank-lines/record', {
    summary: 'Registra a linha do extrato como lançamento',
    body: lineEntry,
    answer: created,
    status: 201,
  }),
  refund: post('/bank-lines/refund', {
    summary: 'Reconhece na linha do extrato uma devolução já registrada',
    body: lineRefund,
    answer: created,
  }),
  leave: post('/bank-lines/leave', { summary: 'Ignora a linha do extrato', body: lineLeft, answer: created }),
  reopen: post('/bank-lines/reopen', {
    summary: 'Volta a considerar a linha do extrato',
    body: lineName,
    answer: created,
  }),
};

const BODY_LIMIT = 512 * 1024;

export const bankLinesCalls = {
  compare: post('/bank-lines/compare', {
    summary: 'Compara linhas de um extrato com as cobranças em aberto, sem registrar nada',
    body: bankLines,
    bodyLimit: BODY_LIMIT,
    asks: true,
    answer: comparedLines,
  }),
};
