import { queryOptions, useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../lib/answer.js';
import type { Student, StudentChanges } from '../../../../backend/modules/students/students.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import type { Day } from '../../lib/dates.js';
import { useEdit } from '../../lib/edits.js';
import { STUDENT_EDIT } from '../../parts/pending-student.js';
import { STUDENTS } from '../../parts/students.queries.js';

/** The tags of active students. */
export const useTags = () => useAnswer([STUDENTS, 'tags'], 'GET /students/tags');

export function useRegisterStudent() {
  return useSend('POST /students');
}

/** Edits a student, or puts the edit into the outbox while offline. */
export function useChangeStudent({ id, nome }: Student) {
  return useEdit<StudentChanges>({
    path: `/students/${id}`,
    subject: id,
    effect: STUDENT_EDIT,
    title: `O aluno ${nome}`,
  });
}

/** The data that are retained after a student is forgotten. */
export const forgetPreview = (id: string) =>
  queryOptions({
    queryKey: [STUDENTS, 'forget', id],
    queryFn: ({ signal }) => read('GET /students/:id/forget', { of: [id], signal }),
  });

/** What merging another record into a student would do; `com` is null while none is chosen. */
export const useMergePreview = (id: string, com: string | null) =>
  useQuery({
    queryKey: [STUDENTS, 'merge', id, com],
    enabled: com !== null,
    queryFn: ({ signal }) => read('GET /students/:id/merge', { of: [id], query: { com: com! }, signal }),
  });

/** What a pause until a day changes; `ate` is null while no day is given. */
export const usePausePreview = (id: string, ate: Day | null) =>
  useQuery({
    queryKey: [STUDENTS, 'pause', id, ate],
    enabled: ate !== null,
    queryFn: ({ signal }) => read('GET /students/:id/pause/preview', { of: [id], query: { ate }, signal }),
  });

export type Departure = 'archive' | 'restore' | 'delete';

/** Archives, restores or removes a student. */
export function useStudentStanding() {
  return useCommand({
    send: ({ id, to }: { id: string; to: Departure }, key) =>
      to === 'delete'
        ? write('DELETE /students/:id', key, { of: [id] })
        : write(`POST /students/:id/${to}`, key, { of: [id] }),
  });
}
