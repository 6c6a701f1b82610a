import * as z from 'zod/mini';
import { put, STUDENT_WRITES, post, get } from '../../platform/http/calls.api.js';
import {
  created,
  type ErrorTable,
  id,
  instant,
  optionalText,
  page,
  pageQuery,
  text,
} from '../../platform/http/common.api.js';
import { sessionCancellation } from '../agenda/agenda.api.js';
import { sessionStatus } from '../sessions/sessions.api.js';

export const studentAreaErrors = {
  'student_area.late': { status: 422, title: 'O prazo para mudar direto já passou' },
  'student_area.over': { status: 409, title: 'Esta aula não pode mais ser alterada' },
  'student_area.already_asked': { status: 409, title: 'Já há um pedido para esta aula' },
  'student_area.nothing_asked': { status: 404, title: 'Pedido não encontrado' },
  'student_area.cannot_undo': { status: 409, title: 'Não dá mais para desfazer' },
} as const satisfies ErrorTable;

/** Change of a session that a student wants. */
const changeKind = z.enum(['desmarcar', 'remarcar']);
export type ChangeKind = z.infer<typeof changeKind>;

/** Whether students who share an hour may see this student's first name. */
export const partnerNameChoice = z.strictObject({ mostra: z.boolean() });
export type PartnerNameChoice = z.infer<typeof partnerNameChoice>;

/** A request after the policy's time limit: to move the session to the free time `inicio`, or, without it, to cancel. */
export const newSessionRequest = z.strictObject({
  motivo: text(1, 500, 'Informe o motivo'),
  inicio: z.optional(instant),
});
export type NewSessionRequest = z.infer<typeof newSessionRequest>;

/** An open request to the trainer; its id is the session's. */
const sessionRequest = z.object({
  id,
  student_id: id,
  student_nome: z.string(),
  inicio: instant,
  fim: instant,
  location_nome: z.nullable(z.string()),
  pedido: changeKind,
  novo_inicio: z.nullable(instant),
  novo_fim: z.nullable(instant),
  motivo: z.nullable(z.string()),
  pedido_em: instant,
  /** The request was made in time by the policy, so the change costs the same as then. */
  no_prazo: z.boolean(),
});
export type SessionRequest = z.infer<typeof sessionRequest>;

/** `session_id`: only the request about this session. */
export const sessionRequestList = z.strictObject({ ...pageQuery, session_id: z.optional(id) });
export type SessionRequestList = z.infer<typeof sessionRequestList>;

/** Sorted by the session's start. */
export const sessionRequests = page(sessionRequest);
export type SessionRequests = z.infer<typeof sessionRequests>;

/** `perdoar`: the policy is not applied. `previsto`: the cost that was shown to the trainer. */
export const requestGrant = z.strictObject({
  perdoar: z._default(z.boolean(), false),
  previsto: z.optional(sessionCancellation.shape.previsto),
});
export type RequestGrant = z.infer<typeof requestGrant>;

/** `status`: the session's status afterwards. */
const requestAnswered = z.object({ id, status: sessionStatus });

export const requestRefusal = z.strictObject({ mensagem: optionalText(300) });
export type RequestRefusal = z.infer<typeof requestRefusal>;

export const ownChangesApi = {
  cancel: post('/student/sessions/:id/cancel', {
    summary: 'Desmarca uma aula do próprio aluno, dentro do prazo',
    roles: ['aluno'],
    answer: created,
    limit: STUDENT_WRITES,
  }),
  undo: post('/student/sessions/:id/undo', {
    summary: 'Desfaz o que o próprio aluno acabou de mudar',
    roles: ['aluno'],
    answer: created,
    limit: STUDENT_WRITES,
  }),
  request: post('/student/sessions/:id/request', {
    summary: 'Pede ao personal para desmarcar ou remarcar uma aula fora do prazo',
    roles: ['aluno'],
    byLink: true,
    body: newSessionRequest,
    answer: created,
    limit: STUDENT_WRITES,
  }),
  withdraw: post('/student/sessions/:id/request/withdraw', {
    summary: 'Cancela o pedido do próprio aluno',
    roles: ['aluno'],
    byLink: true,
    answer: created,
    limit: STUDENT_WRITES,
  }),
};

export const sessionRequestsApi = {
  list: get('/session-requests', {
    summary: 'Lista os pedidos de alunos que esperam resposta',
    query: sessionRequestList,
    answer: sessionRequests,
  }),
  grant: post('/session-requests/:id/grant', {
    summary: 'Aceita o pedido de um aluno',
    body: requestGrant,
    answer: requestAnswered,
  }),
  refuse: post('/session-requests/:id/refuse', {
    summary: 'Recusa o pedido de um aluno',
    body: requestRefusal,
    answer: requestAnswered,
  }),
};

export const partnerNameApi = {
  set: put('/student/partner-name', {
    summary: 'Mostra ou esconde o primeiro nome do próprio aluno a quem divide o horário',
    roles: ['aluno'],
    body: partnerNameChoice,
    answer: created,
    limit: STUDENT_WRITES,
  }),
};
