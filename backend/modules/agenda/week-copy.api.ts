import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import { calendarDate, id, instant } from '../../platform/http/common.api.js';
import { sessionsChanged } from './groups.api.js';
import { obstacleKind } from './obstacles.api.js';

/** Of one week. */
const MOST_SESSIONS = 200;

/** Any day of the week that is copied. */
export const weekCopyQuery = z.strictObject({ semana: calendarDate });
export type WeekCopyQuery = z.infer<typeof weekCopyQuery>;

/** `horario_fixo`: the session's series books it anyway. */
export const copyObstacle = z.enum(['horario_fixo', 'arquivado', 'passado', ...obstacleKind.options]);
export type CopyObstacle = z.infer<typeof copyObstacle>;

/** Obstacles that the trainer cannot overrule. */
export const finalObstacles: readonly CopyObstacle[] = ['horario_fixo', 'arquivado', 'passado'];

/** The preview of each hour of the week, by start; the sessions of a group are one hour. */
export const weekCopyPreview = z.object({
  items: z.array(
    z.object({
      /** The sessions that are copied. */
      session_ids: z.array(id),
      /** The student of each of these. */
      student_ids: z.array(id),
      nomes: z.array(z.nullable(z.string())),
      location_nome: z.nullable(z.string()),
      /** Of an online one. */
      servico: z.nullable(z.object({ endereco: z.string() })),
      inicio: instant,
      fim: instant,
      obstaculos: z.array(z.object({ tipo: copyObstacle, texto: z.string() })),
    }),
  ),
});
export type WeekCopyPreview = z.infer<typeof weekCopyPreview>;

/** `mesmo_assim`: the sessions that are booked even if their time is taken or closed. */
export const weekCopy = z.strictObject({
  session_ids: z.array(id).check(z.minLength(1, 'Escolha o que copiar'), z.maxLength(MOST_SESSIONS)),
  mesmo_assim: z._default(z.array(id).check(z.maxLength(MOST_SESSIONS)), []),
});
export type WeekCopy = z.infer<typeof weekCopy>;

export const weekCopyApi = {
  preview: get('/sessions/week-copy', {
    summary: 'Mostra o que a cópia de uma semana agendaria na seguinte',
    query: weekCopyQuery,
    answer: weekCopyPreview,
  }),
  copy: post('/sessions/week-copy', {
    summary: 'Agenda sessões de novo uma semana depois',
    body: weekCopy,
    answer: sessionsChanged,
    status: 201,
  }),
};
