import type {
  StudentNote,
  StudentNotePage,
} from '../../../../backend/modules/student-notes/student-notes.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const NOTES = reads('student-notes', ['students']);

export const useStudentNotes = (studentId: string) =>
  usePaged<StudentNote, StudentNotePage>([NOTES, studentId], (cursor, signal) =>
    read('GET /students/:id/notes', { of: [studentId], query: { cursor, limit: 20 }, signal }),
  );

export const useWriteNote = (studentId: string) => useSend('POST /students/:id/notes', studentId);

export const useChangeNote = (id: string) => useSend('PATCH /student-notes/:id', id);

/** Removes or restores a note. */
export const useNoteRemoval = (id: string) =>
  useCommand({
    send: (to: 'delete' | 'restore', key) =>
      to === 'delete'
        ? write('DELETE /student-notes/:id', key, { of: [id] })
        : write('POST /student-notes/:id/restore', key, { of: [id] }),
  });
