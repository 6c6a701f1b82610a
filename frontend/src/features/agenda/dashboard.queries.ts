import { useQuery } from '@tanstack/react-query';
import type { Dashboard } from '../../../../backend/modules/agenda/agenda.api.js';
import { read } from '../../lib/calls.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { usePaged } from '../../lib/paged.js';
import { DASHBOARD } from '../../parts/first-steps.js';
import { SESSIONS } from './session-reads.js';

export function useDashboard() {
  return useQuery({
    queryKey: [DASHBOARD],
    queryFn: ({ signal }) => read('GET /dashboard', { signal }),
    persister: cachedOffline<Dashboard>(),
  });
}

export function useSessionsToCharge() {
  return usePaged([SESSIONS, 'to-charge'], (cursor, signal) =>
    read('GET /sessions/to-charge', { query: { cursor, limit: 50 }, signal }),
  );
}
