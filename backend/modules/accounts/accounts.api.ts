import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { birthDate, type ErrorTable, id, name } from '../../platform/http/common.api.js';
import { agreedTerms } from '../general-terms/general-terms.api.js';
import { mobilePhone } from '../students/phone-fields.api.js';
import { cpf } from '../students/cpf.api.js';

export const accountsErrors = {
  'accounts.tenant_required': {
    status: 400,
    title: 'Escolha em qual conta você quer trabalhar (cabeçalho Rende-Tenant)',
  },
  'accounts.tenant_not_found': { status: 404, title: 'Conta não encontrada' },
  'accounts.student_required': {
    status: 400,
    title: 'Escolha de qual aluno (cabeçalho Rende-Student)',
  },
  'accounts.student_not_found': { status: 404, title: 'Aluno não encontrado' },
  'accounts.second_factor_required': {
    status: 403,
    title: 'Confirme o código do seu aplicativo autenticador',
  },
  'accounts.access_denied': { status: 403, title: 'Acesso Negado' },
} as const satisfies ErrorTable;

/** What sign-up asks for beside e-mail and password, as `options.data` of auth-js. */
export const signUpData = z.strictObject({
  nome: name(2, 120, 'Nome deve ter pelo menos 2 caracteres', 'Informe seu nome'),
  cpf,
  data_nascimento: birthDate,
  telefone: mobilePhone,
  termos: agreedTerms,
});
export type SignUpData = z.infer<typeof signUpData>;

const role = z.enum(['personal', 'aluno']);

const membership = z.object({
  tenant_id: id,
  /** The trainer's name, also to the trainer. */
  nome: z.string(),
  /** Slug of the tenant's public link. */
  slug: z.string(),
  role,
  student_id: z.nullable(id),
  /** The student's name, as the trainer wrote it; null for the trainer. */
  aluno: z.nullable(z.string()),
  /** IANA name. */
  timezone: z.string(),
});

/**
 * `membership` is the one chosen by `Rende-Tenant` and `Rende-Student`, or the only one; null where there is a choice to make, or
 * none.
 */
export const me = z.object({
  user: z.object({ id, email: z.string(), nome: z.string() }),
  membership: z.nullable(membership),
  memberships: z.array(membership),
});
export type Me = z.infer<typeof me>;
export type MyMembership = Me['memberships'][number];

export const meApi = {
  me: get('/me', { summary: 'Mostra o usuário e as contas dele', signedIn: true, answer: me }),
};
