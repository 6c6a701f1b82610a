import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, text } from '../../platform/http/common.api.js';

export const toldContactErrors = {
  'told_contacts.changed': {
    status: 409,
    title: 'O aluno informou outra coisa enquanto isso. Confira de novo.',
  },
} as const satisfies ErrorTable;

/** What a student's account tells. */
const toldField = z.enum(['whatsapp', 'nome']);
export type ToldField = z.infer<typeof toldField>;

/** The register takes over what was told, or stays as it is; `perguntar` undoes either. `valor`: what the trainer saw. */
export const toldAnswer = z.strictObject({
  campo: toldField,
  valor: text(1, 120),
  resposta: z.enum(['atualizar', 'manter', 'perguntar']),
});
export type ToldAnswer = z.infer<typeof toldAnswer>;

const toldContact = z.object({
  /** The student's. */
  id,
  nome: z.string(),
  campo: toldField,
  /** What the student told: a name, or a phone in E.164. */
  valor: z.string(),
  /** What the register says instead; null where it has no number. */
  atual: z.nullable(z.string()),
  /** Whether other students have the phone that the register says: a link to it may be meant for them. */
  dividido: z.boolean(),
});
export type ToldContact = z.infer<typeof toldContact>;

/** The open questions, at most one for each student and field, by the student's name; at most 1000. */
export const toldContactList = z.object({ items: z.array(toldContact) });
export type ToldContactList = z.infer<typeof toldContactList>;

export const toldContactsApi = {
  list: get('/told-contacts', {
    summary: 'Lista o que alunos mudaram na própria conta e o cadastro ainda não tem',
    answer: toldContactList,
  }),
  answer: put('/students/:id/told-contact', {
    summary: 'Atualiza o cadastro com o que o aluno informou, ou o mantém',
    body: toldAnswer,
    answer: created,
  }),
};
