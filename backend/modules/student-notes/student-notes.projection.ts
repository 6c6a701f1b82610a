import { rowProjection } from '../../platform/projections/projection.js';
import { type KnownNote, studentNote, type StudentNoteEvent } from './student-note.js';

type NoteRow = KnownNote & { criado_em: string };

/** Folded state of each note; removed notes keep their row, so that they can be restored. Students get no hints about them. */
export const studentNotes = rowProjection<NoteRow>({
  name: 'student-notes',
  topic: 'student-notes',
  table: 'student_notes',
  events: [
    'StudentNoteWritten',
    'StudentNoteChanged',
    'StudentNoteRemoved',
    'StudentNoteRestored',
  ] satisfies StudentNoteEvent['type'][],
  keys: ({ data }) => [data.note_id as string],
  evolve(row, event) {
    const after = studentNote.evolve(row, event as unknown as StudentNoteEvent);
    if (!after) return null;
    return { ...after, criado_em: row?.criado_em ?? event.recordedAt.toISOString() };
  },
});
