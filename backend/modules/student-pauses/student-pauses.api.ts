import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { calendarDate, type ErrorTable, id, instant, undoable } from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';

/** The last day of a student's pause, which begins today. */
export const newPause = z.strictObject({ ate: calendarDate });
export type NewPause = z.infer<typeof newPause>;

/** What becomes of the student's sessions in the pause: by default, they stay in the agenda. */
const pausedSessions = z.enum(['manter', 'cancelar'], 'Escolha o que fazer com as sessões');
export type PausedSessions = z.infer<typeof pausedSessions>;

/** A null `ate` ends the pause. `mudanca_id`: the change that this one undoes, with what it did to sessions. */
export const pauseChange = z.strictObject({
  ...undoable({ ate: z.nullable(calendarDate) }),
  sessoes: z.optional(pausedSessions),
  mudanca_id: z.optional(id),
});
export type PauseChange = z.infer<typeof pauseChange>;

/**
 * What a change of a pause did. `canceladas`, `reabertas`: the starts of the sessions; `fora`: how many that the pause had cancelled
 * did not come back with its end. `mudanca_id`: by which that is undone; null where it did nothing to sessions.
 */
export const pauseChanged = z.object({
  id,
  mudanca_id: z.nullable(id),
  canceladas: z.readonly(z.array(instant)),
  reabertas: z.readonly(z.array(instant)),
  fora: z.int(),
});
export type PauseChanged = z.infer<typeof pauseChanged>;

/** How many of the sessions in a pause are named; the others are counted. */
export const MOST_NAMED = 3;

/**
 * What a pause changes: by how many days the credits' validity moves, negative where a pause ends earlier, and the first days of the
 * months that are not billed. `dias_iguais`: all credits move by `dias`; otherwise it is the most. `sessoes`: how many of the student's
 * sessions are in the pause, with the starts of the first ones, and whether some are of a series (`horario_fixo`). `cancelando`: the current pause leaves no
 * session in the agenda. `reabertas`: how many that it has cancelled come back, because it ends earlier.
 */
export const pausePreview = z.object({
  dias: z.int(),
  dias_iguais: z.boolean(),
  meses: z.readonly(z.array(calendarDate)),
  sessoes: z.int(),
  primeiras: z.readonly(z.array(instant)),
  horario_fixo: z.boolean(),
  cancelando: z.boolean(),
  reabertas: z.int(),
});
export type PausePreview = z.infer<typeof pausePreview>;

export const studentPauseErrors = {
  'student_pauses.wrong_end': { status: 422, title: 'Informe um dia de hoje até daqui a um ano' },
  'student_pauses.not_paused': { status: 409, title: 'O aluno não está pausado' },
  'student_pauses.cannot_undo': { status: 409, title: 'Não dá mais para desfazer' },
  'student_pauses.expired': { status: 409, title: 'Há créditos que já teriam vencido' },
} as const satisfies ErrorTable;

export const studentPausesApi = {
  preview: get('/students/:id/pause/preview', {
    summary:
      'Mostra o que uma pausa até um dia muda: a validade dos créditos e os meses não cobrados, e as sessões nela',
    tags: ['students'],
    query: newPause,
    answer: pausePreview,
  }),
  resumePrice: get('/students/:id/pause/end/preview', {
    summary: 'Mostra o que encerrar hoje a pausa de um aluno muda',
    tags: ['students'],
    answer: price,
  }),
  pause: put('/students/:id/pause', {
    summary:
      'Pausa um aluno até um dia, ou encerra a pausa: nela, os créditos não vencem e nenhum mês é cobrado; as sessões ficam ou são canceladas sem custo',
    tags: ['students'],
    body: pauseChange,
    answer: pauseChanged,
  }),
};
