import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { reads } from '../../lib/topics.js';
import { CREDITS, OWN } from './own-balance.queries.js';

/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-credits', []);

const keyOf = (studentId: string, at: string | undefined) =>
  at === undefined ? [CREDITS, studentId] : [PAST, studentId, at];

/** The query of the signed-in student's own statement, which both calls take. */
type StatementQuery = NonNullable<Parameters<typeof read<'GET /student/credits'>>[1]>['query'];

const readStatement = (studentId: string, query: StatementQuery, signal: AbortSignal) =>
  studentId === OWN
    ? read('GET /student/credits', { query, signal })
    : read('GET /students/:id/credits', { of: [studentId], query, signal });

/**
 * The credit account, now or at a past moment, with its statement in pages. Every page has balance and lots; those of the first
 * page are used.
 */
export function useCreditStatement(studentId: string, at?: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(studentId, at), 'statement'],
    queryFn: ({ pageParam, signal }) => readStatement(studentId, { cursor: pageParam, limit: 8, at }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ extrato }) => extrato.next ?? undefined,
  });
}

/** The latest lines of the account, with the balance after each. */
export const useBalanceSteps = (studentId: string) =>
  useQuery({
    queryKey: [CREDITS, studentId, 'steps'],
    queryFn: ({ signal }) => readStatement(studentId, { limit: 100 }, signal),
  });
