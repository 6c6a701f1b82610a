import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { calendarDate, created, type ErrorTable, id, instant, rule } from '../../platform/http/common.api.js';

export const nudgeErrors = {
  'nudges.not_found': { status: 404, title: 'Mensagem não encontrada' },
} as const satisfies ErrorTable;

/**
 * A class of theirs that is still ahead was cancelled because too few came; their credits are used up; the birthday is today;
 * or the student comes less, or no more.
 */
export const nudgeReason = z.enum(['turma', 'renovar', 'aniversario', 'sumindo']);
export type NudgeReason = z.infer<typeof nudgeReason>;

/** `session_id`: of the class. */
export const newNudge = z
  .strictObject({ motivo: nudgeReason, session_id: z.optional(id) })
  .check(
    rule(
      ({ motivo, session_id }) => (motivo === 'turma') === (session_id !== undefined),
      'Diga de qual aula é a mensagem',
      ['session_id'],
    ),
  );
export type NewNudge = z.infer<typeof newNudge>;

const nudge = z.object({
  /** Of the message that was sent or dismissed; null before. */
  id: z.nullable(id),
  student_id: id,
  student_nome: z.string(),
  motivo: nudgeReason,
  /** Of a class: the student's session, its start, and the name of the class. */
  session_id: z.nullable(id),
  inicio: z.nullable(instant),
  turma: z.nullable(z.string()),
  /** To be renewed. */
  plano: z.nullable(z.string()),
  /** On a birthday. */
  idade: z.nullable(z.int()),
  /** Day of the last session that took place. */
  ultima: z.nullable(calendarDate),
  /** Sessions that took place in the last four weeks, and in the four before. */
  ultimas: z.int(),
  anteriores: z.int(),
  enviado_em: z.nullable(instant),
  /** The trainer does not want to send it. */
  dispensada: z.boolean(),
  texto: z.string(),
  /** Opens the message in WhatsApp; null without a number. */
  link: z.nullable(z.string()),
});
export type Nudge = z.infer<typeof nudge>;

/** In the order of their reasons; of those who come less, those who came last first; at most 100. */
export const nudgeList = z.object({ items: z.array(nudge) });
export type NudgeList = z.infer<typeof nudgeList>;

export const nudgesApi = {
  list: get('/nudges', {
    summary: 'Lista alunos a quem escrever: turma desmarcada, créditos usados, aniversário ou sumindo',
    answer: nudgeList,
  }),
  sent: post('/students/:id/nudges', {
    summary: 'Marca como enviada uma mensagem a um aluno',
    body: newNudge,
    answer: created,
  }),
  dismissed: post('/students/:id/nudges/dismissed', {
    summary: 'Dispensa uma mensagem a um aluno',
    body: newNudge,
    answer: created,
  }),
  unsent: post('/nudges/:id/unsent', {
    summary: 'Desfaz o envio ou a dispensa de uma mensagem',
    answer: created,
  }),
};
