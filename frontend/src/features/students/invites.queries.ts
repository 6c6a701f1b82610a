import { useQuery } from '@tanstack/react-query';
import type { NewAreaLink } from '../../../../backend/modules/accounts/area-links.api.js';
import type { NewInvite, StudentAccess } from '../../../../backend/modules/accounts/invites.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';

const topics = ['access'];

export function useStudentAccess(studentId: string) {
  return useQuery({
    queryKey: ['access', studentId],
    queryFn: ({ signal }) => http.get<StudentAccess>(`/students/${studentId}/access`, undefined, signal),
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
    send: (studentId: string, key) => http.delete<void>(`/students/${studentId}/invites`, key),
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
    send: (studentId: string, key) => http.delete<void>(`/students/${studentId}/area-link`, key),
    topics,
  });
}
