import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type {
  CancellationPreview,
  CancellationReason,
  NewSession,
  Session,
  SessionCancellation,
  SessionChanges,
} from '../../../../backend/modules/agenda/agenda.api.js';
import { useCommand } from '../../lib/command.js';
import { addDays, instantOf, todayIn, weekOf, type Day } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { kept } from '../../lib/kept.js';
import { sendOrQueue, usePending } from '../../lib/pending.js';
import { useZone } from '../../lib/zone.js';
import { type ShownSession, withPending } from './pending-session.js';

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

/** What is kept on the device of a session. */
const keptSessions = kept<Session[]>({ without: ['observacoes'] });

/** The sessions of the days from `first` to `last`; those of the week that is now are there without a network too. */
function sessionsOf(first: Day, last: Day, zone: string) {
  const from = instantOf(first, '00:00', zone);
  const to = instantOf(addDays(last, 1), '00:00', zone);
  const isThisWeek = first === weekOf(todayIn(zone))[0];
  return queryOptions({
    queryKey: ['sessions', 'range', from, to],
    queryFn: ({ signal }) => readAll({ from, to }, signal),
    ...(isThisWeek && { persister: keptSessions }),
  });
}

/** The week that is now, as the agenda asks for it. */
export function thisWeek(zone: string) {
  const week = weekOf(todayIn(zone));
  return sessionsOf(week[0] ?? '', week[6] ?? '', zone);
}

/** All sessions of the days from `first` to `last`, by start, as they will be once what waits has been sent. */
export function useSessions(first: Day, last: Day) {
  const writes = usePending((pending) => pending.writes);
  const select = useCallback(
    (sessions: Session[]) => sessions.flatMap((session) => withPending(session, writes) ?? []),
    [writes],
  );
  return useQuery({ ...sessionsOf(first, last, useZone()), select });
}

/** A session in a list that is there already. */
export function listed(client: QueryClient, id: string) {
  for (const [queryKey, sessions] of client.getQueriesData<Session[]>({ queryKey: ['sessions', 'range'] })) {
    const session = sessions?.find((candidate) => candidate.id === id);
    if (session) return { session, at: client.getQueryState(queryKey)?.dataUpdatedAt };
  }
  return undefined;
}

/** One session: at once from where it was tapped, and then as it is now. */
export function useSession(id: string) {
  const client = useQueryClient();
  const writes = usePending((pending) => pending.writes);
  return useQuery({
    queryKey: ['sessions', 'one', id],
    // A deleted one is still shown to who is looking at it.
    select: (session: Session): ShownSession => withPending(session, writes) ?? session,
    queryFn: ({ signal }) => http.get<Session>(`/sessions/${id}`, undefined, signal),
    initialData: () => listed(client, id)?.session,
    initialDataUpdatedAt: () => listed(client, id)?.at,
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

const topics = ['sessions', 'credits'];
const alreadySo = { complete: 'agenda.already_done', reopen: 'agenda.already_scheduled' };

/** Marks as done, reopens, or brings back a deleted session. The first two wait for a network where there is none. */
export function useMoveSession() {
  return useCommand({
    send: (
      { id, step, permitir_conflito }: { id: string; step: SessionStep; permitir_conflito?: boolean },
      key,
    ) => {
      const path = `/sessions/${id}/${step}`;
      const body = permitir_conflito ? { permitir_conflito } : {};
      return step === 'restore' || permitir_conflito
        ? http.post<Outcome>(path, key, body)
        : sendOrQueue<Outcome>({
            ...{ key, method: 'POST', path, body },
            ...{ topics, subject: id, effect: step, alreadySo: alreadySo[step] },
          });
    },
    topics,
  });
}

/** Deletes a session, or has that wait for a network. */
export function useDeleteSession() {
  return useCommand({
    send: (id: string, key) =>
      sendOrQueue<{ id: string }>({
        ...{ key, method: 'DELETE', path: `/sessions/${id}` },
        ...{ topics, subject: id, effect: 'delete', alreadySo: 'agenda.session_not_found' },
      }),
    topics,
  });
}
