import * as z from 'zod/mini';
import { post, get, remove } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant, name, text } from '../../platform/http/common.api.js';
import { agreedTerms } from '../general-terms/general-terms.api.js';
import { calledPhone } from '../students/phone-fields.api.js';
import { cpf } from '../students/cpf.api.js';
import { newAreaLink } from './area-links.api.js';

/** Days for which a link is valid (spec 1, section 9). */
export const INVITE_DAYS = 7;

export const invitesErrors = {
  'invites.not_valid': { status: 404, title: 'Convite inválido ou expirado' },
  'invites.used': { status: 409, title: 'Este convite já foi usado' },
  'invites.already_accepted': { status: 409, title: 'O aluno já tem conta' },
  'invites.nobody_left': { status: 409, title: 'Todos os alunos que este pagador paga já têm conta' },
  'invites.already_member': { status: 409, title: 'Sua conta é a do personal deste convite' },
} as const satisfies ErrorTable;

/** The error code of `/auth/v1/signup` for an invalid link. */
export const INVITE_NOT_VALID = 'invite_not_valid';

const token = text(1, 200);

export const inviteParams = z.strictObject({ token });

export const acceptance = z.strictObject({ token });
export type Acceptance = z.infer<typeof acceptance>;

/** A link that was just made. */
export const newInvite = z.object({ id, inviteUrl: z.string(), expires_at: instant });
export type NewInvite = z.infer<typeof newInvite>;

/** The newest valid invite of a payer, and who has the account of each student whom the payer pays for. */
export const payerAccess = z.object({
  convite: z.nullable(newInvite),
  alunos: z.array(
    z.object({ id, nome: z.string(), conta: z.nullable(z.enum(['do_pagador', 'de_outra_pessoa'])) }),
  ),
});
export type PayerAccess = z.infer<typeof payerAccess>;

/** The data that the page of a link shows. `student`: whom it is for; for a payer's, `alunos` are the students whom it gives. */
export const invite = z.object({
  personal: z.object({ nome: z.string() }),
  student: z.object({ nome: z.string() }),
  alunos: z.optional(z.array(z.string())),
  expires_at: instant,
});
export type Invite = z.infer<typeof invite>;

/** The newest valid invite, the account that accepted one, and the area link of a student without an account. */
export const studentAccess = z.object({
  convite: z.nullable(newInvite),
  area: z.nullable(newAreaLink),
  conta: z.nullable(z.object({ nome: z.string(), desde: instant })),
});
export type StudentAccess = z.infer<typeof studentAccess>;

/** The tenant that the caller has joined, and as which student. */
export const accepted = z.object({ tenant_id: id, student_id: id });
export type Accepted = z.infer<typeof accepted>;

/** The sign-up fields of an invited student, as `options.data` of auth-js. */
export const invitedData = z.strictObject({
  convite: token,
  nome: name(2, 120, 'Nome deve ter pelo menos 2 caracteres', 'Informe seu nome'),
  cpf: z.optional(cpf),
  telefone: z.optional(calledPhone),
  termos: agreedTerms,
});
export type InvitedData = z.infer<typeof invitedData>;

export const invitesApi = {
  access: get('/students/:id/access', {
    summary: 'Mostra o convite e a conta de um aluno',
    answer: studentAccess,
  }),
  cancel: remove('/students/:id/invites', {
    summary: 'Cancela os convites pendentes de um aluno',
    answer: created,
  }),
  end: remove('/students/:id/access', { summary: 'Encerra o acesso de um aluno', answer: created }),
  accessOfPayer: get('/payers/:id/access', {
    summary: 'Mostra o convite de um pagador e as contas dos seus alunos',
    answer: payerAccess,
  }),
  cancelOfPayer: remove('/payers/:id/invites', {
    summary: 'Cancela os convites pendentes de um pagador',
    answer: created,
  }),
};

const BY_ADDRESS = { name: 'invites', points: 100, seconds: 600 };

export const invitesCalls = {
  invite: post('/students/:id/invites', {
    summary: 'Gera um link de convite para um aluno',
    answer: newInvite,
    status: 201,
  }),
  invitePayer: post('/payers/:id/invites', {
    summary: 'Gera um link de convite para um pagador: a conta entra na área de todos os seus alunos',
    answer: newInvite,
    status: 201,
  }),
  show: get('/invites/:token', {
    summary: 'Mostra um convite',
    public: true,
    params: inviteParams,
    answer: invite,
    limit: BY_ADDRESS,
  }),
  accept: post('/invites/accept', {
    summary: 'Aceita um convite com a própria conta',
    signedIn: true,
    body: acceptance,
    answer: accepted,
    limit: BY_ADDRESS,
  }),
};
