import { useQuery } from '@tanstack/react-query';
import type { RenewalState } from '../../../backend/modules/charges/renewals.api.js';
import { http } from './http.js';
import { reads } from './topics.js';

const RENEWAL = reads('renewal', ['credits', 'charges', 'students']);

/** What was renewed without payment, and what was charged, of a student's plans; disabled without a student. */
export const useRenewalState = (studentId: string) =>
  useQuery({
    queryKey: [RENEWAL, studentId],
    queryFn: ({ signal }) => http.get<RenewalState>(`/students/${studentId}/renewal`, undefined, signal),
    enabled: studentId !== '',
  });
