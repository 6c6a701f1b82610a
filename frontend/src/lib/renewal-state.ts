import { read } from './calls.js';
import { useQuery } from '@tanstack/react-query';
import { reads } from './topics.js';

const RENEWAL = reads('renewal', ['credits', 'charges', 'students']);

/** What was renewed without payment, and what was charged, of a student's plans; disabled without a student. */
export const useRenewalState = (studentId: string) =>
  useQuery({
    queryKey: [RENEWAL, studentId],
    queryFn: ({ signal }) => read('GET /students/:id/renewal', { of: [studentId], signal }),
    enabled: studentId !== '',
  });
