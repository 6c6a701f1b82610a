import * as z from 'zod/mini';
import { get, post, patch, remove } from '../../platform/http/calls.api.js';
import {
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  momentQuery,
  page,
  pageQuery,
  text,
  undoable,
} from '../../platform/http/common.api.js';

export const studentNoteErrors = {
  'student-notes.not_found': { status: 404, title: 'Anotação não encontrada' },
} as const satisfies ErrorTable;

const fields = {
  /** The day that the note is about. */
  dia: calendarDate,
  texto: text(1, 2000, 'Escreva a anotação'),
};

export const newStudentNote = z.strictObject(fields);
export type NewStudentNote = z.infer<typeof newStudentNote>;

/** Missing fields do not change. */
export const studentNoteChanges = z
  .strictObject(undoable(z.partial(z.strictObject(fields)).shape))
  .check(z.refine((changes) => Object.keys(changes).length > 0, 'Nada para alterar'));
export type StudentNoteChanges = z.infer<typeof studentNoteChanges>;

export const studentNoteList = z.strictObject({ ...pageQuery, ...momentQuery });
export type StudentNoteList = z.infer<typeof studentNoteList>;

const studentNote = z.object({ id, dia: calendarDate, texto: z.string(), criado_em: instant });
export type StudentNote = z.infer<typeof studentNote>;

/** By day, latest first. */
export const studentNotePage = z.extend(page(studentNote), momentQuery);
export type StudentNotePage = z.infer<typeof studentNotePage>;

export const studentNotesApi = {
  list: get('/students/:id/notes', {
    summary: 'Lista as anotações do personal sobre um aluno',
    query: studentNoteList,
    answer: studentNotePage,
  }),
  write: post('/students/:id/notes', {
    summary: 'Faz uma anotação sobre um aluno',
    body: newStudentNote,
    answer: created,
    status: 201,
  }),
  change: patch('/student-notes/:id', {
    summary: 'Altera uma anotação',
    body: studentNoteChanges,
    answer: created,
  }),
  remove: remove('/student-notes/:id', { summary: 'Exclui uma anotação', answer: created }),
  restore: post('/student-notes/:id/restore', {
    summary: 'Desfaz a exclusão de uma anotação',
    answer: created,
  }),
};
