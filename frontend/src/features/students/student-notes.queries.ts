import type {
  NewStudentNote,
  StudentNote,
  StudentNoteChanges,
  StudentNotePage,
} from '../../../../backend/modules/student-notes/student-notes.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const NOTES = reads('student-notes', ['students']);
const topics = [NOTES];

export const useStudentNotes = (studentId: string) =>
  usePaged<StudentNote, StudentNotePage>([NOTES, studentId], (cursor, signal) =>
    http.get(`/students/${studentId}/notes`, { cursor, limit: 20 }, signal),
  );

export const useWriteNote = (studentId: string) =>
  useCommand({
    send: (body: NewStudentNote, key) => http.post<{ id: string }>(`/students/${studentId}/notes`, key, body),
    topics,
  });

export const useChangeNote = (id: string) =>
  useCommand({
    send: (body: StudentNoteChanges, key) => http.patch<{ id: string }>(`/student-notes/${id}`, key, body),
    topics,
  });

/** Removes or restores a note. */
export const useNoteRemoval = (id: string) =>
  useCommand({
    send: (to: 'delete' | 'restore', key) =>
      to === 'delete'
        ? http.delete<void>(`/student-notes/${id}`, key)
        : http.post<void>(`/student-notes/${id}/restore`, key),
    topics,
  });
