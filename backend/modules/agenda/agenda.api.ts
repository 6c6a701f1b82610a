import * as z from 'zod/mini';
import { patch, get, post, remove } from '../../platform/http/calls.api.js';
import {
  atMoment,
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  momentQuery,
  optionalText,
  page,
  pageQuery,
  rule,
  text,
  undoable,
} from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';
import { sessionService } from '../services/services.api.js';
import { cancellationReason, sessionStatus } from '../sessions/sessions.api.js';

export const agendaErrors = {
  'agenda.session_not_found': { status: 404, title: 'Agendamento não encontrado' },
  'agenda.overlap': { status: 409, title: 'Horário já ocupado' },
  'agenda.on_vacation': { status: 409, title: 'Horário dentro das férias' },
  'agenda.blocked': { status: 409, title: 'Horário bloqueado' },
  'agenda.other_calendar': { status: 409, title: 'Ocupado no outro calendário' },
  'agenda.outside_hours': { status: 409, title: 'Fora do horário de atendimento' },
  'agenda.already_scheduled': { status: 409, title: 'A sessão já está agendada' },
  'agenda.already_done': { status: 409, title: 'A sessão já foi marcada como feita' },
  'agenda.already_cancelled': { status: 409, title: 'A sessão já foi cancelada' },
  'agenda.group_not_found': { status: 404, title: 'Grupo não encontrado' },
  'agenda.already_in_group': { status: 409, title: 'O aluno já está neste horário' },
  'agenda.group_full': { status: 422, title: 'O horário já tem o máximo de alunos' },
  'agenda.not_deleted': { status: 409, title: 'A sessão não está excluída' },
  'agenda.day_ahead': { status: 422, title: 'Só dá para marcar como feita a partir do dia da sessão' },
  'agenda.invalid_period': { status: 422, title: 'Horário inválido' },
  'agenda.reason_disagrees': { status: 422, title: 'O motivo não confere com o horário' },
  'agenda.cost_changed': { status: 409, title: 'O custo do cancelamento mudou' },
} as const satisfies ErrorTable;

const notes = optionalText(2000);

/** `permitir_conflito`: book although another session occupies part of that time, or it is not open ("Agendar mesmo assim"). */
export const newSession = z.strictObject({
  student_id: id,
  inicio: instant,
  fim: instant,
  location_id: z.optional(z.nullable(id)),
  service_id: z.optional(z.nullable(id)),
  observacoes: z.optional(notes),
  permitir_conflito: z.optional(z.boolean()),
});
export type NewSession = z.infer<typeof newSession>;

const editedFields = {
  student_id: z.optional(id),
  inicio: z.optional(instant),
  fim: z.optional(instant),
  location_id: z.optional(z.nullable(id)),
  observacoes: z.optional(notes),
  status: z.optional(sessionStatus),
  confirmado: z.optional(z.boolean()),
};

const costFields = {
  /** This session holds one of the student's credits. */
  usou_credito: z.boolean(),
  /** It should have used a credit, but the student had none. */
  sem_credito: z.boolean(),
  /** Cents: the fee of a cancellation under the policy; 0 when there is none. */
  taxa: z.int(),
};

/**
 * `aplicar_politica`: true applies the location's policy; false waives it ("Perdoar desta vez") and needs a
 * `justificativa`; if absent, the session is cancelled at no cost. `previsto` is the cost that was shown to the user:
 * the cancellation is refused if its cost is another. `de_novo` undoes a reopening, with the `justificativa` of the
 * former cancellation: it is the status that the session got by the reopening, and the request is refused if the status
 * has changed since.
 */
export const sessionCancellation = z
  .strictObject({
    motivo: cancellationReason,
    aplicar_politica: z.optional(z.boolean()),
    justificativa: z.optional(optionalText(500)),
    previsto: z.optional(z.strictObject(costFields)),
    de_novo: z.optional(sessionStatus),
  })
  .check(
    rule(
      ({ aplicar_politica, justificativa }) => aplicar_politica !== false || Boolean(justificativa),
      'Informe por que perdoar desta vez',
      ['justificativa'],
    ),
  );
export type SessionCancellation = z.infer<typeof sessionCancellation>;

/**
 * Absent fields do not change. A session may get any status from any other; `motivo` is used for `cancelada`
 * (`personal` if absent). `cancelamento` cancels it again after the other changes, to undo an edit that also reopened it.
 */
export const sessionChanges = z
  .strictObject({
    ...undoable(editedFields),
    motivo: z.optional(cancellationReason),
    cancelamento: z.optional(sessionCancellation),
    permitir_conflito: z.optional(z.boolean()),
  })
  .check(
    z.refine((changes) => Object.keys(changes).length > 0, 'Nada para alterar'),
    rule(
      ({ motivo, status }) => motivo === undefined || status === 'cancelada',
      'Informe o motivo só ao cancelar',
      ['motivo'],
    ),
    rule(
      ({ cancelamento, status }) => cancelamento === undefined || status === undefined,
      'Informe o status ou o cancelamento, não os dois',
      ['cancelamento'],
    ),
  );
export type SessionChanges = z.infer<typeof sessionChanges>;

/** The state of a session after a command. */
export const sessionOutcome = z.object({ id, status: sessionStatus, ...costFields });
export type SessionOutcome = z.infer<typeof sessionOutcome>;

/**
 * Optional body of complete, reopen and restore: whether the session may overlap another one. `de`: the change is
 * refused unless the session still has this status.
 */
export const sessionReturn = z._default(
  z.strictObject({ permitir_conflito: z.optional(z.boolean()), de: z.optional(sessionStatus) }),
  {},
);
export type SessionReturn = z.infer<typeof sessionReturn>;

/** Sessions that overlap `[from, to)`, by start, or the latest first. `q`: part of the student's name. */
export const sessionsQuery = z.strictObject({
  ...pageQuery,
  ...momentQuery,
  from: z.optional(instant),
  to: z.optional(instant),
  student_id: z.optional(id),
  ordem: z._default(z.enum(['inicio', 'recentes']), 'inicio'),
  q: z.optional(text(0, 100)),
});
export type SessionsQuery = z.infer<typeof sessionsQuery>;

export const toChargeQuery = z.strictObject(pageQuery);
export type ToChargeQuery = z.infer<typeof toChargeQuery>;

export const cancellationQuery = z.strictObject({ motivo: cancellationReason });
export type CancellationQuery = z.infer<typeof cancellationQuery>;

export const session = z.object({
  id,
  student_id: id,
  /** Null when the person was forgotten. */
  student_nome: z.nullable(z.string()),
  location_id: z.nullable(id),
  location_nome: z.nullable(z.string()),
  inicio: instant,
  fim: instant,
  status: sessionStatus,
  confirmado: z.boolean(),
  observacoes: z.nullable(z.string()),
  serie_id: z.nullable(id),
  /** Its date in the series' pattern, in local time; it stays when the session is moved. */
  ocorrencia: z.nullable(calendarDate),
  /** The same for all sessions of an hour that several students share. */
  grupo_id: z.nullable(id),
  servico: z.nullable(sessionService),
  /** Where students may enter its hour. */
  turma: z.nullable(z.object({ nome: z.string(), vagas: z.int() })),
  /** Only of a cancelled session. */
  motivo: z.nullable(cancellationReason),
  /** This session holds one of the student's credits. */
  usou_credito: z.boolean(),
  /** First name of whose credit it is, where that is another student's; only of a session that is read by itself. */
  credito_de: z.optional(z.string()),
  /** It should have used a credit, but the student had none. */
  sem_credito: z.boolean(),
  /** Cents: the plan's price ÷ its credits, fixed when the session was done or cancelled; null before, or without a plan. */
  valor: z.nullable(z.int()),
  /** Cents: the fee of a cancellation under the policy; 0 when there is none. */
  taxa: z.int(),
  /** The charge that was issued with its booking on the public page; absent without one. */
  cobranca_id: z.optional(id),
});
export type Session = z.infer<typeof session>;
export const sessionPage = z.extend(page(session), momentQuery);
export type SessionPage = z.infer<typeof sessionPage>;

/** `a_cobrar`, cents: the session's value where a credit was missing, plus its fee; null when the value is unknown. */
export const sessionToCharge = z.extend(session, { a_cobrar: z.nullable(z.int()) });
export type SessionToCharge = z.infer<typeof sessionToCharge>;
export const sessionToChargePage = page(sessionToCharge);
export type SessionToChargePage = z.infer<typeof sessionToChargePage>;

/** The cost of a cancellation: the fields that the session will have after it. */
export const cancellationCost = z.object(costFields);
export type CancellationCost = z.infer<typeof cancellationCost>;

/** The effect of cancelling now for that reason. */
export const cancellationPreview = z.object({
  motivo: cancellationReason,
  /** False if the time until the start contradicts the reason: the policy cannot be applied for it. */
  motivo_confere: z.boolean(),
  /** False for a no-show of a session that has not begun. */
  permitido: z.boolean(),
  /** Minutes until the start; negative after it. */
  minutos_ate_inicio: z.int(),
  limite_horas: z.int(),
  /** The policy has a cost, which can be waived: cancel with `aplicar_politica` true or false. */
  tem_custo: z.boolean(),
  /** The cost with the policy applied, if it has one. */
  previsto: cancellationCost,
  /** "Faltam 9 h, a política é de 24 h: desconta 1 crédito e cobra taxa de R$ 16,67." */
  texto: z.string(),
  /** The cost with the policy waived. */
  perdoado: cancellationCost,
  texto_perdoado: z.string(),
});
export type CancellationPreview = z.infer<typeof cancellationPreview>;

/** Counts of sessions are of those still `agendada`; days and weeks (from Sunday) are the tenant's zone's. */
export const dashboard = z.object({
  hoje: z.int(),
  esta_semana: z.int(),
  total_alunos: z.int(),
  locais_ativos: z.int(),
  /** The next 3 sessions that are still to start. */
  proximas_sessoes: z.array(session),
  /** The first steps of a new account, and whether each was ever done. */
  primeiros_passos: z.object({
    plano: z.boolean(),
    aluno: z.boolean(),
    agendamento: z.boolean(),
    /** A charge, or money that was recorded. */
    recebimento: z.boolean(),
    local: z.boolean(),
    /** The Pix key is set now. */
    pix: z.boolean(),
    link: z.boolean(),
  }),
});
export type Dashboard = z.infer<typeof dashboard>;

export const agendaApi = {
  dashboard: get('/dashboard', {
    summary: 'Mostra os números do dia e as próximas sessões',
    answer: dashboard,
  }),
  list: get('/sessions', {
    summary: 'Lista sessões de um período',
    query: sessionsQuery,
    answer: sessionPage,
  }),
  book: post('/sessions', { summary: 'Agenda uma sessão', body: newSession, answer: created, status: 201 }),
  toCharge: get('/sessions/to-charge', {
    summary: 'Lista sessões a cobrar',
    query: toChargeQuery,
    answer: sessionToChargePage,
  }),
  get: get('/sessions/:id', {
    summary: 'Mostra uma sessão',
    query: atMoment,
    answer: z.extend(session, momentQuery),
  }),
  remove: remove('/sessions/:id', { summary: 'Exclui uma sessão', answer: created }),
  restore: post('/sessions/:id/restore', {
    summary: 'Desfaz a exclusão de uma sessão',
    body: sessionReturn,
    answer: sessionOutcome,
  }),
  complete: post('/sessions/:id/complete', {
    summary: 'Marca uma sessão como feita',
    body: sessionReturn,
    answer: sessionOutcome,
  }),
  reopen: post('/sessions/:id/reopen', {
    summary: 'Reabre uma sessão',
    body: sessionReturn,
    answer: sessionOutcome,
  }),
  reopenPrice: get('/sessions/:id/reopen/preview', {
    summary: 'Mostra o que reabrir uma sessão muda',
    answer: price,
  }),
  change: patch('/sessions/:id', {
    summary: 'Altera uma sessão',
    body: sessionChanges,
    answer: sessionOutcome,
  }),
  cancel: post('/sessions/:id/cancel', {
    summary: 'Cancela uma sessão',
    body: sessionCancellation,
    answer: sessionOutcome,
  }),
  cancellation: get('/sessions/:id/cancellation', {
    summary: 'Mostra o que cancelar agora custa ao aluno',
    query: cancellationQuery,
    answer: cancellationPreview,
  }),
};
