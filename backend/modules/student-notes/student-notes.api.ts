import * as z from 'zod/mini';
import {
  calendarDate,
  type ErrorTable,
  id,
  instant,
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

export const studentNoteList = z.strictObject(pageQuery);
export type StudentNoteList = z.infer<typeof studentNoteList>;

const studentNote = z.object({ id, dia: calendarDate, texto: z.string(), criado_em: instant });
export type StudentNote = z.infer<typeof studentNote>;

/** By day, latest first. */
export const studentNotePage = page(studentNote);
export type StudentNotePage = z.infer<typeof studentNotePage>;
