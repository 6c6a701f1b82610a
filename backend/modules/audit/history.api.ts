import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import {
  id,
  instant,
  momentQuery,
  page,
  pageQuery,
  type ErrorTable,
} from '../../platform/http/common.api.js';

export const historyErrors = {
  'audit.subject_not_found': { status: 404, title: 'Nenhum histórico encontrado' },
} as const satisfies ErrorTable;

const kinds = [
  'student',
  'session',
  'transaction',
  'plan',
  'location',
  'policy',
  'settings',
  'link',
  'task',
  'tasklist',
  'calendar',
  'charge',
  'expense',
  'month',
  'pixkey',
  'pix',
  'contract',
  'payer',
] as const;
export type HistoryKind = (typeof kinds)[number];

/** Subject of the history, such as `student:0b9f…`. */
const historySubject = z
  .templateLiteral([z.enum(kinds), ':', z.uuid()], 'Informe o assunto como student:{id}')
  .check(z.toLowerCase());

/** With a moment: what had happened by then. */
export const historyQuery = z.strictObject({ ...pageQuery, ...momentQuery, subject: historySubject });
export type HistoryQuery = z.infer<typeof historyQuery>;

export const historyEntry = z.object({
  /** Position of the event in the tenant's log. */
  posicao: z.int(),
  quando: instant,
  /** A user, or a student by a link; null for events that the system caused. */
  quem: z.nullable(z.object({ id, nome: z.nullable(z.string()) })),
  dispositivo: z.nullable(z.string()),
  evento: z.string(),
  /** What happened and what changed: "Marcou a sessão de qui., 26 de nov., 7:00 como feita: descontou 1 crédito" */
  texto: z.string(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;
/** Newest first. */
export const historyPage = z.extend(page(historyEntry), momentQuery);
export type HistoryPage = z.infer<typeof historyPage>;

export const historyApi = {
  show: get('/history', {
    summary: 'Mostra o histórico de um assunto',
    query: historyQuery,
    answer: historyPage,
  }),
};
