import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, instant, undoable } from '../../platform/http/common.api.js';
import { calledPhone } from '../students/phone-fields.api.js';
import { signUpData } from './accounts.api.js';
import { cpf } from '../students/cpf.api.js';

export const profileErrors = {
  'profile.required_of_trainer': { status: 422, title: 'Preencha celular e data de nascimento' },
  'profile.cpf_fixed': { status: 409, title: 'O CPF da conta não pode ser trocado' },
} as const satisfies ErrorTable;

/** Changes of the own profile. The CPF can be set once; trainers also have a phone and a birth date. */
export const profileBody = z.strictObject({
  nome: signUpData.shape.nome,
  telefone: z.nullable(calledPhone),
  data_nascimento: z.nullable(signUpData.shape.data_nascimento),
  cpf: z.optional(cpf),
});
export type ProfileBody = z.infer<typeof profileBody>;

export const profileChange = z.extend(z.strictObject(undoable(z.omit(profileBody, { cpf: true }).shape)), {
  cpf: profileBody.shape.cpf,
});
export type ProfileChange = z.infer<typeof profileChange>;

/** The data of the account page. */
export const profile = z.object({
  nome: z.string(),
  email: z.string(),
  /** E.164. */
  telefone: z.nullable(z.string()),
  data_nascimento: z.nullable(calendarDate),
  /** Without its first and last digits. */
  cpf: z.nullable(z.string()),
  /** False for a user who signs in only through a provider or by mail. */
  tem_senha: z.boolean(),
  /** The pending change of the e-mail address, and which of its two mails are confirmed. */
  troca_de_email: z.nullable(
    z.object({
      email: z.string(),
      pedida_em: instant,
      atual_confirmado: z.boolean(),
      novo_confirmado: z.boolean(),
    }),
  ),
});
export type Profile = z.infer<typeof profile>;

export const profileApi = {
  show: get('/account/profile', { summary: 'Mostra o perfil do usuário', signedIn: true, answer: profile }),
  change: put('/account/profile', {
    summary: 'Muda nome, telefone e data de nascimento',
    signedIn: true,
    body: profileChange,
    answer: created,
    limit: { name: 'profile', points: 60, seconds: 600 },
  }),
};
