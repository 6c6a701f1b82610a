import { useQuery } from '@tanstack/react-query';
import type { Forgotten } from '../../../../backend/modules/privacy/privacy.api.js';
import type {
  NewStudent,
  Student,
  StudentChanges,
  StudentPage,
} from '../../../../backend/modules/students/students.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';

export type Standing = 'ativos' | 'arquivados';

const topics = ['students'];

export function useStudents(q: string, situacao: Standing) {
  return usePaged(['students', 'list', { q, situacao }], (cursor, signal) =>
    http.get<StudentPage>('/students', { q, situacao, cursor }, signal),
  );
}

export function useStudent(id: string) {
  return useQuery({
    queryKey: ['students', 'one', id],
    queryFn: ({ signal }) => http.get<Student>(`/students/${id}`, undefined, signal),
  });
}

export function useRegisterStudent() {
  return useCommand({
    send: (body: NewStudent, key) => http.post<{ id: string }>('/students', key, body),
    topics,
  });
}

export function useChangeStudent(id: string) {
  return useCommand({
    send: (body: StudentChanges, key) => http.patch<void>(`/students/${id}`, key, body),
    topics,
  });
}

/** Cannot be taken back; touches whatever shows the student. */
export function useForgetStudent() {
  return useCommand({
    send: (id: string, key) => http.post<Forgotten>(`/students/${id}/forget`, key),
    topics: ['students', 'sessions', 'credits'],
  });
}

export type Departure = 'archive' | 'restore' | 'delete';

/** Archives, brings back or removes a student. */
export function useStudentStanding() {
  return useCommand({
    send: ({ id, to }: { id: string; to: Departure }, key) =>
      to === 'delete'
        ? http.delete<void>(`/students/${id}`, key)
        : http.post<void>(`/students/${id}/${to}`, key),
    topics,
  });
}
