import { useQuery } from '@tanstack/react-query';
import type { NewAreaLink } from '../../../../backend/modules/accounts/area-links.api.js';
import type { NewInvite } from '../../../../backend/modules/accounts/invites.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';

const topics = ['access'];

export function useStudentAccess(studentId: string) {
  return useQuery({
    queryKey: ['access', studentId],
    queryFn: ({ signal }) => read('GET /students/:id/access', { of: [studentId], signal }),
  });
}

export function useInvite() {
  return useCommand({
    send: (studentId: string, key) => http.post<NewInvite>(`/students/${studentId}/invites`, key),
    topics,
  });
}

export function useCancelInvites() {
  return useCommand({
    send: (studentId: string, key) => write('DELETE /students/:id/invites', key, { of: [studentId] }),
    topics,
  });
}

export function useEndAccess() {
  return useCommand({
    send: (studentId: string, key) => http.delete<void>(`/students/${studentId}/access`, key),
    topics,
  });
}

export function useOpenAreaLink() {
  return useCommand({
    send: (studentId: string, key) => http.post<NewAreaLink>(`/students/${studentId}/area-link`, key),
    topics,
  });
}

export function useEndAreaLink() {
  return useCommand({
    send: (studentId: string, key) => write('DELETE /students/:id/area-link', key, { of: [studentId] }),
    topics,
  });
}
