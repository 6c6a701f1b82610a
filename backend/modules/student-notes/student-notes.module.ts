import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { studentNote } from './student-note.js';
import { studentNotesApi, studentNoteErrors } from './student-notes.api.js';
import {
  WriteStudentNote,
  ChangeStudentNote,
  RemoveStudentNote,
  RestoreStudentNote,
} from './student-notes.commands.js';
import { studentNoteHistory } from './student-notes.history.js';
import { studentNotes } from './student-notes.projection.js';
import { ListStudentNotes } from './student-notes.queries.js';

/**
 * The trainer's notes about students (`student-notes`, and tags in `students`) are encrypted with the student's key, are not
 * stored on the device, and are in no answer to a student, including the student's data export.
 */
@Module(
  serve(studentNotesApi, {
    list: ListStudentNotes,
    write: WriteStudentNote,
    change: ChangeStudentNote,
    remove: RemoveStudentNote,
    restore: RestoreStudentNote,
  }),
)
export class StudentNotesModule {
  static readonly feature: Feature = {
    aggregates: [studentNote],
    projections: [studentNotes],
    history: studentNoteHistory,
    ownData: {
      sheets: {
        'anotacoes-de-alunos': `select n.id, n.student_id, a.nome as aluno, n.dia, n.texto, n.removed as excluida, n.criado_em
          from student_notes n left join students a on a.tenant_id = n.tenant_id and a.id = n.student_id
          order by n.dia, n.criado_em, n.id`,
      },
    },
    errors: studentNoteErrors,
  };
}
