import { useQuery } from '@tanstack/react-query';
import type {
  CancellationPreview,
  CancellationReason,
  NewSession,
  Session,
  SessionCancellation,
  SessionChanges,
} from '../../../../backend/modules/agenda/agenda.api.js';
import { useCommand } from '../../lib/command.js';
import { addDays, instantOf, type Day } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { useZone } from '../../lib/zone.js';

interface SessionPage {
  items: Session[];
  next: string | null;
}

/** What the commands answer of the session. */
type Outcome = Pick<Session, 'usou_credito' | 'sem_credito'>;

const PAGE = 100;

async function readAll(query: Record<string, string>, signal: AbortSignal): Promise<Session[]> {
  const items: Session[] = [];
  let cursor: string | null = null;
  do {
    const page: SessionPage = await http.get('/sessions', { ...query, limit: PAGE, cursor }, signal);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

/** All sessions of the days from `first` to `last`, by start. */
export function useSessions(first: Day, last: Day) {
  const zone = useZone();
  const from = instantOf(first, '00:00', zone);
  const to = instantOf(addDays(last, 1), '00:00', zone);
  return useQuery({
    queryKey: ['sessions', 'range', from, to],
    queryFn: ({ signal }) => readAll({ from, to }, signal),
  });
}

export function useSession(id: string) {
  return useQuery({
    queryKey: ['sessions', 'one', id],
    queryFn: ({ signal }) => http.get<Session>(`/sessions/${id}`, undefined, signal),
  });
}

/** What cancelling now for this reason would cost the student. */
export function useCancellationPreview(id: string, motivo: CancellationReason) {
  return useQuery({
    queryKey: ['sessions', 'cancellation', id, motivo],
    queryFn: ({ signal }) =>
      http.get<CancellationPreview>(`/sessions/${id}/cancellation`, { motivo }, signal),
    staleTime: 0,
  });
}

export function useBookSession() {
  return useCommand({
    send: (body: NewSession, key) => http.post<{ id: string }>('/sessions', key, body),
    topics: ['sessions'],
  });
}

export function useChangeSession(id: string) {
  return useCommand({
    send: (body: SessionChanges, key) => http.patch<Outcome>(`/sessions/${id}`, key, body),
    topics: ['sessions', 'credits'],
  });
}

export function useCancelSession(id: string) {
  return useCommand({
    send: (body: SessionCancellation, key) => http.post<Outcome>(`/sessions/${id}/cancel`, key, body),
    topics: ['sessions', 'credits'],
  });
}

export type SessionStep = 'complete' | 'reopen' | 'restore';

/** Marks as done, reopens, or brings back a deleted session. */
export function useMoveSession() {
  return useCommand({
    send: (
      { id, step, permitir_conflito }: { id: string; step: SessionStep; permitir_conflito?: boolean },
      key,
    ) => http.post<Outcome>(`/sessions/${id}/${step}`, key, permitir_conflito ? { permitir_conflito } : {}),
    topics: ['sessions', 'credits'],
  });
}

export function useDeleteSession() {
  return useCommand({
    send: (id: string, key) => http.delete<{ id: string }>(`/sessions/${id}`, key),
    topics: ['sessions', 'credits'],
  });
}
