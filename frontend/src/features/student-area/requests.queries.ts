import { useQuery } from '@tanstack/react-query';
import type {
  CancellationPreview,
  CancellationReason,
} from '../../../../backend/modules/agenda/agenda.api.js';
import type {
  RequestGrant,
  SessionRequest,
  SessionRequests,
} from '../../../../backend/modules/student-area/student-area.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const REQUESTS = reads('session-requests', ['sessions', 'students', 'locations']);
const topics = [REQUESTS, 'sessions', 'credits'];

/** Open requests of students. */
export const useSessionRequests = () =>
  usePaged([REQUESTS], (cursor, signal) =>
    http.get<SessionRequests>('/session-requests', { cursor, limit: 20 }, signal),
  );

/** The open request about a session, if any. */
export const useRequestOf = (session_id: string) =>
  useQuery({
    queryKey: [REQUESTS, session_id],
    queryFn: ({ signal }) => http.get<SessionRequests>('/session-requests', { session_id }, signal),
    select: ({ items }) => items.at(0),
  });

/** The cost for the student if a cancellation is granted. */
export function useGrantPreview({ id, no_prazo }: Pick<SessionRequest, 'id' | 'no_prazo'>) {
  const motivo: CancellationReason = no_prazo ? 'aluno_no_prazo' : 'aluno_fora_do_prazo';
  return useQuery({
    queryKey: [REQUESTS, id, 'cost', motivo],
    queryFn: ({ signal }) =>
      http.get<CancellationPreview>(`/sessions/${id}/cancellation`, { motivo }, signal),
  });
}

export const useGrantRequest = (id: string) =>
  useCommand({
    send: (body: RequestGrant, key) => http.post<{ id: string }>(`/session-requests/${id}/grant`, key, body),
    topics,
  });

export const useRefuseRequest = (id: string) =>
  useCommand({
    send: (mensagem: string | null, key) =>
      http.post<{ id: string }>(`/session-requests/${id}/refuse`, key, { mensagem }),
    topics,
  });

/** Undoes a grant. */
export const useReopenSession = (id: string) =>
  useCommand({
    send: (_step: 'reopen', key) => http.post<{ id: string }>(`/sessions/${id}/reopen`, key, {}),
    topics,
  });

export const useMoveSessionBack = (id: string) =>
  useCommand({
    send: (to: { inicio: string; fim: string }, key) =>
      http.patch<{ id: string }>(`/sessions/${id}`, key, to),
    topics,
  });
