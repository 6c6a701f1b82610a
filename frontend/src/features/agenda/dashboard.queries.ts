import { useQuery } from '@tanstack/react-query';
import type { Dashboard, SessionToCharge } from '../../../../backend/modules/agenda/agenda.api.js';
import { http } from '../../lib/http.js';
import { kept } from '../../lib/kept.js';
import { usePaged } from '../../lib/paged.js';

export function useDashboard() {
  return useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => http.get<Dashboard>('/dashboard', undefined, signal),
    persister: kept<Dashboard>({ without: ['observacoes'] }),
  });
}

export function useSessionsToCharge() {
  return usePaged(['sessions', 'to-charge'], (cursor, signal) =>
    http.get<{ items: SessionToCharge[]; next: string | null }>(
      '/sessions/to-charge',
      { cursor, limit: 3 },
      signal,
    ),
  );
}
