import { useQuery } from '@tanstack/react-query';
import type { Dashboard, SessionToCharge } from '../../../../backend/modules/agenda/agenda.api.js';
import { http } from '../../lib/http.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { SESSIONS } from './session-reads.js';

const DASHBOARD = reads('dashboard', [
  'sessions',
  'students',
  'plans',
  'locations',
  'transactions',
  'settings',
]);

export function useDashboard() {
  return useQuery({
    queryKey: [DASHBOARD],
    queryFn: ({ signal }) => http.get<Dashboard>('/dashboard', undefined, signal),
    persister: cachedOffline<Dashboard>(),
  });
}

export function useSessionsToCharge() {
  return usePaged([SESSIONS, 'to-charge'], (cursor, signal) =>
    http.get<{ items: SessionToCharge[]; next: string | null }>(
      '/sessions/to-charge',
      { cursor, limit: 3 },
      signal,
    ),
  );
}
