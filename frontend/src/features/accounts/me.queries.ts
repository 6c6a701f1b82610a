import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Me } from '../../../../backend/modules/accounts/accounts.api.js';
import { read } from '../../lib/calls.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { reads } from '../../lib/topics.js';

const ME = reads('me', ['account', 'settings']);

/** The signed-in user and their memberships. */
export function useMe(userId: string): UseQueryResult<Me> {
  return useQuery({
    queryKey: [ME, userId],
    queryFn: ({ signal }) => read('GET /me', { signal }),
    staleTime: Infinity,
    persister: cachedOffline<Me>({ ofPerson: true }),
  });
}
