import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { reassignedWords } from '../students/reassigned.js';
import { studentNote, type KnownNote, type StudentNoteEvent } from './student-note.js';
import { studentNotesApi, studentNoteErrors } from './student-notes.api.js';
import {
  WriteStudentNote,
  ChangeStudentNote,
  RemoveStudentNote,
  RestoreStudentNote,
} from './student-notes.commands.js';
import { ListStudentNotes } from './student-notes.queries.js';

type Of<Type extends StudentNoteEvent['type']> = Extract<StudentNoteEvent, { type: Type }>['data'];

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const quoted = (texto: string | null) => (texto === null ? '' : `: “${texto}”`);

const studentNoteHistory: HistoryWords<StudentNoteEvent> = {
  StudentNoteWritten: {
    subjects,
    words: ({ dia, texto }: Of<'StudentNoteWritten'>) =>
      `Fez a anotação de ${shortDate(dia)}${quoted(texto)}`,
  },
  StudentNoteChanged: {
    subjects,
    words: ({ dia, texto }: Of<'StudentNoteChanged'>) =>
      `Alterou uma anotação${dia === undefined ? '' : `, agora de ${shortDate(dia)}`}${quoted(texto ?? null)}`,
  },
  StudentNoteRemoved: { subjects, words: () => 'Excluiu uma anotação' },
  StudentNoteReassigned: { subjects: () => [], words: reassignedWords },
  StudentNoteRestored: { subjects, words: () => 'Desfez a exclusão de uma anotação' },
};

type NoteRow = KnownNote & { criado_em: string };

/** Folded state of each note; removed notes keep their row, so that they can be restored. Students get no hints about them. */
const studentNotes = stateProjection(studentNote, {
  name: 'student-notes',
  topic: 'student-notes',
  table: 'student_notes',
  evolve(row: NoteRow | undefined, event) {
    const after = studentNote.evolve(row, event);
    if (!after) return null;
    return { ...after, criado_em: row?.criado_em ?? event.recordedAt.toISOString() };
  },
});

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
