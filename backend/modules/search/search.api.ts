import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { calendarDate, id, instant, text } from '../../platform/http/common.api.js';
import { sessionStatus } from '../sessions/sessions.api.js';

/** Part of a name, of a phone's digits, or of a task's text, without regard to accents and case. `limit` applies to each kind. */
export const searchQuery = z.strictObject({
  q: text(2, 100, 'Digite pelo menos 2 letras'),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(20)), 5),
});
export type SearchQuery = z.infer<typeof searchQuery>;

export const searchResults = z.object({
  /** Sorted: active students first, then names that begin with the term. */
  alunos: z.array(
    z.object({
      id,
      nome: z.string(),
      arquivado: z.boolean(),
      telefone: z.nullable(z.string()),
      whatsapp: z.nullable(z.string()),
    }),
  ),
  /** Sessions of matching students: those to come by start, then past and cancelled ones, the nearest first. */
  sessoes: z.array(
    z.object({
      id,
      student_nome: z.string(),
      location_nome: z.nullable(z.string()),
      inicio: instant,
      status: sessionStatus,
    }),
  ),
  /** Tasks with a matching title or description: open ones first, then by date. */
  tarefas: z.array(
    z.object({
      id,
      titulo: z.string(),
      data_vencimento: z.nullable(calendarDate),
      hora: z.nullable(z.string()),
      concluida: z.boolean(),
    }),
  ),
});
export type SearchResults = z.infer<typeof searchResults>;

export const searchApi = {
  search: get('/search', {
    summary: 'Busca alunos, sessões e tarefas',
    query: searchQuery,
    answer: searchResults,
  }),
};
