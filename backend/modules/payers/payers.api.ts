import * as z from 'zod/mini';
import { get, patch, post, put, remove } from '../../platform/http/calls.api.js';
import {
  created,
  type ErrorTable,
  id,
  name,
  page,
  pageQuery,
  text,
  undoable,
} from '../../platform/http/common.api.js';
import { document } from '../students/document.api.js';
import { phone } from '../students/phone-fields.api.js';

export const payerErrors = {
  'payers.not_found': { status: 404, title: 'Pagador não encontrado' },
  'payers.forgotten': { status: 409, title: 'Os dados deste pagador foram apagados' },
} as const satisfies ErrorTable;

const fields = {
  nome: name(2, 120, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'),
  /** CPF, or CNPJ of a company. */
  documento: z.nullable(document),
  whatsapp: phone,
  email: z.nullable(z.email().check(z.maxLength(254), z.toLowerCase())),
};

/** `student_id`: the first student whom the payer pays for. */
export const newPayer = z.strictObject({
  ...fields,
  documento: z._default(fields.documento, null),
  email: z._default(fields.email, null),
  student_id: z.optional(id),
});
export type NewPayer = z.infer<typeof newPayer>;

/** Absent fields stay unchanged. */
export const payerChanges = z.strictObject(undoable(z.partial(z.strictObject(fields)).shape));
export type PayerChanges = z.infer<typeof payerChanges>;

/** Who pays for a student; null: the student. */
export const payerChoice = z.strictObject(undoable({ payer_id: z.nullable(id) }));
export type PayerChoice = z.infer<typeof payerChoice>;

const payer = z.object({
  id,
  nome: z.string(),
  documento: z.nullable(z.string()),
  /** E.164; null once the person is forgotten. */
  whatsapp: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** The person was forgotten. */
  esquecido: z.boolean(),
  /** By name. */
  alunos: z.array(z.object({ id, nome: z.string() })),
});
export type Payer = z.infer<typeof payer>;

/** `q`: part of the name; accents and case do not matter. */
export const payerList = z.strictObject({
  ...pageQuery,
  cursor: z.optional(id),
  q: z.optional(text(1, 120)),
});
export type PayerList = z.infer<typeof payerList>;

/** By name, without those who were forgotten. */
export const payerPage = page(payer);
export type PayerPage = z.infer<typeof payerPage>;

export const payerOfStudent = z.object({ pagador: z.nullable(payer) });
export type PayerOfStudent = z.infer<typeof payerOfStudent>;

export const payersApi = {
  list: get('/payers', { summary: 'Lista quem paga por alunos', query: payerList, answer: payerPage }),
  register: post('/payers', {
    summary: 'Cadastra quem paga por um aluno',
    body: newPayer,
    answer: created,
    status: 201,
  }),
  get: get('/payers/:id', { summary: 'Mostra um pagador', answer: payer }),
  change: patch('/payers/:id', { summary: 'Altera um pagador', body: payerChanges, answer: created }),
  remove: remove('/payers/:id', {
    summary: 'Exclui um pagador: seus alunos voltam a pagar por si',
    answer: created,
  }),
  restore: post('/payers/:id/restore', { summary: 'Desfaz a exclusão de um pagador', answer: created }),
  replaceLink: post('/payers/:id/link', {
    summary: 'Troca o link da conta de um pagador: o anterior deixa de valer',
    answer: created,
  }),
  ofStudent: get('/students/:id/payer', { summary: 'Mostra quem paga por um aluno', answer: payerOfStudent }),
  choose: put('/students/:id/payer', {
    summary: 'Define quem paga por um aluno',
    body: payerChoice,
    answer: created,
  }),
};
