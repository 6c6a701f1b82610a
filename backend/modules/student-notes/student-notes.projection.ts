import { stateProjection } from '../../platform/projections/projection.js';
import { type KnownNote, studentNote } from './student-note.js';

type NoteRow = KnownNote & { criado_em: string };

/** Folded state of each note; removed notes keep their row, so that they can be restored. Students get no hints about them. */
export const studentNotes = stateProjection(studentNote, {
  name: 'student-notes',
  topic: 'student-notes',
  table: 'student_notes',
  evolve(row: NoteRow | undefined, event) {
    const after = studentNote.evolve(row, event);
    if (!after) return null;
    return { ...after, criado_em: row?.criado_em ?? event.recordedAt.toISOString() };
  },
});
