import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const expiryWarningErrors = {
  'expiry-warnings.not_found': { status: 404, title: 'Aviso não encontrado' },
} as const satisfies ErrorTable;

const expiryWarning = z.object({
  id,
  student_id: id,
  student_nome: z.string(),
  /** Last valid day of the credits. */
  expira_em: calendarDate,
  /** Number of remaining credits. */
  creditos: z.int(),
  /** It is also mailed. */
  por_email: z.boolean(),
  /** When the trainer sent it by WhatsApp. */
  enviado_em: z.nullable(instant),
  texto: z.string(),
  /** Opens the message in WhatsApp; null without a number. */
  link: z.nullable(z.string()),
});
export type ExpiryWarning = z.infer<typeof expiryWarning>;

/** Warnings of remaining credits, by their last day; at most 200. */
export const expiryWarningList = z.object({ items: z.array(expiryWarning) });
export type ExpiryWarningList = z.infer<typeof expiryWarningList>;

export const expiryWarningsApi = {
  list: get('/expiry-warnings', {
    summary: 'Lista os avisos de créditos que vencem em até 7 dias',
    answer: expiryWarningList,
  }),
  sent: post('/expiry-warnings/:id/sent', {
    summary: 'Marca um aviso de vencimento como enviado',
    answer: created,
  }),
  unsent: post('/expiry-warnings/:id/unsent', {
    summary: 'Desfaz o envio de um aviso de vencimento',
    answer: created,
  }),
};
