import { useQuery } from '@tanstack/react-query';
import type { CreditStatement } from '../../../../backend/modules/credits/credits.api.js';
import { read } from '../../lib/calls.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { reads } from '../../lib/topics.js';

export const CREDITS = reads('credits', ['students', 'plans', 'sessions', 'charges']);

/** Stands for the signed-in student, instead of a student's id. */
export const OWN = 'own';

/** The signed-in student's balance; offline from the cache. */
export const useOwnBalance = () =>
  useQuery({
    queryKey: [CREDITS, OWN, 'balance'],
    persister: cachedOffline<CreditStatement>(),
    queryFn: ({ signal }) => read('GET /student/credits', { query: { limit: 1 }, signal }),
  });
