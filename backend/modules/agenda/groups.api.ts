import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { id, instant, optionalText } from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';
import { cancellationCost, session } from './agenda.api.js';

/** The most students whom one command brings to an hour, and the most that can share one. */
export const MOST_STUDENTS = 10;
export const MOST_IN_HOUR = 50;

const students = (least: 1 | 2) =>
  z.array(id).check(
    z.minLength(least, least === 1 ? 'Escolha o aluno' : 'Escolha pelo menos dois alunos'),
    z.maxLength(MOST_STUDENTS, `Escolha até ${MOST_STUDENTS} alunos`),
    z.refine((ids) => new Set(ids).size === ids.length, 'Há alunos repetidos'),
  );

/** An hour that several students share: a session for each of them. `permitir_conflito`: as of a session. */
export const newGroup = z.strictObject({
  student_ids: students(2),
  inicio: instant,
  fim: instant,
  location_id: z.optional(z.nullable(id)),
  service_id: z.optional(z.nullable(id)),
  observacoes: z.optional(optionalText(2000)),
  permitir_conflito: z.optional(z.boolean()),
});
export type NewGroup = z.infer<typeof newGroup>;

/** A booking from the form: for one student or a group. */
export const newBooking = z.extend(newGroup, { student_ids: students(1) });
export type NewBooking = z.infer<typeof newBooking>;

/** Students who join the hour of a session, at its time and location. */
export const newMembers = z.strictObject({
  student_ids: students(1),
  permitir_conflito: z.optional(z.boolean()),
});
export type NewMembers = z.infer<typeof newMembers>;

/** Selects one hour of a group that has sessions at several times; if absent, all of them. */
export const groupHour = z._default(z.strictObject({ inicio: z.optional(instant) }), {});
export type GroupHour = z.infer<typeof groupHour>;

/** One hour of a group. */
export const oneHour = z.strictObject({ inicio: instant });
export type OneHour = z.infer<typeof oneHour>;

/** `id`: the group. `session_ids`: the sessions that the command made or changed. */
const groupChanged = z.object({ id, session_ids: z.array(id) });

/** The sessions of an hour that its cancellation by the trainer cancels, those still scheduled, and what it costs their students together. */
export const groupCancellation = z.extend(cancellationCost, groupChanged.shape);
export type GroupCancellation = z.infer<typeof groupCancellation>;

/** The sessions of a group, sorted by student name. */
export const group = z.object({ items: z.array(session) });
export type Group = z.infer<typeof group>;

/** At most as many as one command can book. */
export const sessionIds = z.strictObject({
  session_ids: z.array(id).check(z.minLength(1), z.maxLength(200)),
});
export type SessionIds = z.infer<typeof sessionIds>;

/** Sessions of a group that come back. `de`: those that no longer have this status are left as they are. */
export const groupReturn = z.extend(sessionIds, {
  de: z._default(z.enum(['feita', 'cancelada']), 'feita'),
  permitir_conflito: z.optional(z.boolean()),
});
export type GroupReturn = z.infer<typeof groupReturn>;

/** The same in an address, the ids with commas between them. */
const groupReturnQuery = z.strictObject({
  session_ids: z.pipe(
    z.pipe(
      z.string(),
      z.transform((all: string) => all.split(',')),
    ),
    sessionIds.shape.session_ids,
  ),
  de: groupReturn.shape.de,
});

/** The sessions that were changed. */
export const sessionsChanged = z.object({ session_ids: z.array(id) });

/** Hours that several students share. */
export const groupsApi = {
  get: get('/sessions/groups/:id', { summary: 'Mostra as sessões de um grupo', answer: group }),
  book: post('/sessions/groups', {
    summary: 'Agenda um horário com vários alunos',
    body: newGroup,
    answer: groupChanged,
    status: 201,
  }),
  complete: post('/sessions/groups/:id/complete', {
    summary: 'Marca como feitas as sessões em aberto de um grupo',
    body: groupHour,
    answer: groupChanged,
  }),
  cancel: post('/sessions/groups/:id/cancel', {
    summary: 'Cancela as sessões em aberto de um horário de um grupo',
    body: oneHour,
    answer: groupCancellation,
  }),
  cancellation: get('/sessions/groups/:id/cancellation', {
    summary: 'Mostra o que cancelar agora um horário custa aos alunos do grupo',
    query: oneHour,
    answer: groupCancellation,
  }),
  reopen: post('/sessions/groups/:id/reopen', {
    summary: 'Reabre sessões de um grupo',
    body: groupReturn,
    answer: groupChanged,
  }),
  reopenPrice: get('/sessions/groups/:id/reopen/preview', {
    summary: 'Mostra o que reabrir sessões de um grupo muda',
    query: groupReturnQuery,
    answer: price,
  }),
  undo: post('/sessions/undo-bookings', {
    summary: 'Desfaz agendamentos que ainda estão em aberto',
    body: sessionIds,
    answer: sessionsChanged,
  }),
  undoPrice: get('/sessions/undo-bookings/preview', {
    summary: 'Mostra o que desfazer agendamentos muda',
    query: groupReturnQuery,
    answer: price,
  }),
  add: post('/sessions/:id/students', {
    summary: 'Adiciona alunos ao horário de uma sessão',
    body: newMembers,
    answer: groupChanged,
    status: 201,
  }),
};
