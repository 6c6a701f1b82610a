import * as z from 'zod/mini';
import { STUDENT_WRITES, get, post } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant, text } from '../../platform/http/common.api.js';
import { messageState } from '../../platform/whatsapp-messages.api.js';
import { mailStop } from '../../platform/mail/mail-stops.api.js';

export const reminderErrors = {
  'reminders.not_found': { status: 404, title: 'Lembrete não encontrado' },
  'reminders.link_not_valid': { status: 404, title: 'Link inválido ou expirado' },
  'reminders.session_changed': { status: 409, title: 'Esta aula mudou de horário ou foi desmarcada' },
  'reminders.over': { status: 409, title: 'Esta aula já começou' },
} as const satisfies ErrorTable;

/** `session_id`: only those of that session. */
export const remindersQuery = z.strictObject({ session_id: z.optional(id) });
export type RemindersQuery = z.infer<typeof remindersQuery>;

export const reminder = z.object({
  id,
  session_id: id,
  student_id: id,
  student_nome: z.string(),
  location_nome: z.nullable(z.string()),
  inicio: instant,
  /** It is also sent by e-mail. */
  por_email: z.boolean(),
  /** When it was sent by WhatsApp. */
  enviado_em: z.nullable(instant),
  /** When the student confirmed by its link. */
  confirmado_em: z.nullable(instant),
  /** What became of it where it was sent by itself. */
  whatsapp: z.nullable(messageState),
  texto: z.string(),
  /** Opens the message in WhatsApp; null without a number. */
  link: z.nullable(z.string()),
});
export type Reminder = z.infer<typeof reminder>;

/** A mail of the last days that did not arrive, and why: the person wants none, it came back, or a limit was reached. */
const withheldMail = z.object({
  student_id: id,
  nome: z.string(),
  /** What it was; null: unknown. */
  coisa: z.nullable(
    z.enum([
      'aula',
      'cobranca',
      'contrato',
      'codigo',
      'creditos',
      'espera',
      'notificacao',
      'recibo',
      'reserva',
    ]),
  ),
  motivo: z.union([mailStop, z.enum(['enough', 'allowance', 'failed'])]),
});
export type WithheldMail = z.infer<typeof withheldMail>;

/** Reminders of upcoming sessions whose time is still the announced one, by start; `retidos`: the newest first. */
export const reminderList = z.object({ items: z.array(reminder), retidos: z.array(withheldMail) });
export type ReminderList = z.infer<typeof reminderList>;

/** Number of reminders to send: of sessions (not sent, mailed or confirmed), of unsigned contracts, of expiring credits, and nudges. */
export const remindersWaiting = z.object({ total: z.int() });
export type RemindersWaiting = z.infer<typeof remindersWaiting>;

const token = text(1, 100);
export const confirmationParams = z.strictObject({ token });
export const confirmationBody = z.strictObject({ token });
export type ConfirmationBody = z.infer<typeof confirmationBody>;

/** `nova`: false if it was already confirmed. */
export const confirmed = z.object({ id, nova: z.boolean() });
export type Confirmed = z.infer<typeof confirmed>;

export const remindersApi = {
  list: get('/reminders', {
    summary: 'Lista os lembretes das próximas sessões',
    query: remindersQuery,
    answer: reminderList,
  }),
  waiting: get('/reminders/waiting', { summary: 'Conta os lembretes a enviar', answer: remindersWaiting }),
  sent: post('/reminders/:id/sent', { summary: 'Marca um lembrete como enviado', answer: created }),
  unsent: post('/reminders/:id/unsent', { summary: 'Desfaz o envio de um lembrete', answer: created }),
};

/** For the student, signed in. */
export const ownConfirmationsApi = {
  confirm: post('/student/sessions/:id/confirm', {
    summary: 'Confirma a presença do próprio aluno em uma aula',
    roles: ['aluno'],
    byLink: true,
    answer: confirmed,
    limit: STUDENT_WRITES,
  }),
};

export const confirmationsApi = {
  confirm: post('/confirmations', {
    summary: 'Confirma a presença em uma aula',
    public: true,
    body: confirmationBody,
    answer: confirmed,
    limit: { name: 'confirmations', points: 100, seconds: 600 },
  }),
};
