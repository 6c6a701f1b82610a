import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { calendarDate, created, type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const nudgeErrors = {
  'nudges.not_found': { status: 404, title: 'Mensagem não encontrada' },
} as const satisfies ErrorTable;

/** The birthday is today; or the student comes less, or no more. */
export const nudgeReason = z.enum(['aniversario', 'sumindo']);
export type NudgeReason = z.infer<typeof nudgeReason>;

export const newNudge = z.strictObject({ motivo: nudgeReason });
export type NewNudge = z.infer<typeof newNudge>;

const nudge = z.object({
  /** Of the message that was sent or dismissed; null before. */
  id: z.nullable(id),
  student_id: id,
  student_nome: z.string(),
  motivo: nudgeReason,
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

/** Birthdays first, then who comes less, those who came last first; at most 100. */
export const nudgeList = z.object({ items: z.array(nudge) });
export type NudgeList = z.infer<typeof nudgeList>;

export const nudgesApi = {
  list: get('/nudges', {
    summary: 'Lista quem faz aniversário hoje e quem está sumindo',
    answer: nudgeList,
  }),
  sent: post('/students/:id/nudges', {
    summary: 'Marca como enviada uma mensagem de aniversário ou a quem está sumindo',
    body: newNudge,
    answer: created,
  }),
  dismissed: post('/students/:id/nudges/dismissed', {
    summary: 'Dispensa uma mensagem de aniversário ou a quem está sumindo',
    body: newNudge,
    answer: created,
  }),
  unsent: post('/nudges/:id/unsent', {
    summary: 'Desfaz o envio ou a dispensa de uma mensagem',
    answer: created,
  }),
};
