import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { created, calendarDate, type ErrorTable, undoable } from '../../platform/http/common.api.js';

/** The last day of a student's pause, which begins today. */
export const newPause = z.strictObject({ ate: calendarDate });
export type NewPause = z.infer<typeof newPause>;

/** Null ends the pause. */
export const pauseChange = z.strictObject(undoable({ ate: z.nullable(calendarDate) }));
export type PauseChange = z.infer<typeof pauseChange>;

/**
 * What a pause changes: by how many days the credits' validity moves, negative where a pause ends earlier, and the first days of the
 * months that are not billed. `dias_iguais`: all credits move by `dias`; otherwise it is the most.
 */
export const pausePreview = z.object({
  dias: z.int(),
  dias_iguais: z.boolean(),
  meses: z.readonly(z.array(calendarDate)),
});
export type PausePreview = z.infer<typeof pausePreview>;

export const studentPauseErrors = {
  'student_pauses.wrong_end': { status: 422, title: 'Informe um dia de hoje até daqui a um ano' },
  'student_pauses.not_paused': { status: 409, title: 'O aluno não está pausado' },
  'student_pauses.expired': { status: 409, title: 'Há créditos que já teriam vencido' },
} as const satisfies ErrorTable;

export const studentPausesApi = {
  preview: get('/students/:id/pause/preview', {
    summary: 'Mostra o que uma pausa até um dia muda: a validade dos créditos e os meses não cobrados',
    tags: ['students'],
    query: newPause,
    answer: pausePreview,
  }),
  pause: put('/students/:id/pause', {
    summary:
      'Pausa um aluno até um dia, ou encerra a pausa: nela, os créditos não vencem e nenhum mês é cobrado',
    tags: ['students'],
    body: pauseChange,
    answer: created,
  }),
};
