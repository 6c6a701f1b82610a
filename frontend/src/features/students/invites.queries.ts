import { useAnswer } from '../../lib/answer.js';
import { write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';

export function useStudentAccess(studentId: string) {
  return useAnswer(['access', studentId], 'GET /students/:id/access', { of: [studentId] });
}

export function useInvite() {
  return useCommand({
    send: (studentId: string, key) => write('POST /students/:id/invites', key, { of: [studentId] }),
  });
}

export function useCancelInvites() {
  return useCommand({
    send: (studentId: string, key) => write('DELETE /students/:id/invites', key, { of: [studentId] }),
  });
}

export function useEndAccess() {
  return useCommand({
    send: (studentId: string, key) => write('DELETE /students/:id/access', key, { of: [studentId] }),
  });
}

export function useOpenAreaLink() {
  return useCommand({
    send: (studentId: string, key) => write('POST /students/:id/area-link', key, { of: [studentId] }),
  });
}

export function useEndAreaLink() {
  return useCommand({
    send: (studentId: string, key) => write('DELETE /students/:id/area-link', key, { of: [studentId] }),
  });
}
