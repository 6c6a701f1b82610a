import { useQuery } from '@tanstack/react-query';
import type { CancellationReason } from '../../../../backend/modules/sessions/sessions.api.js';
import type { SessionRequest } from '../../../../backend/modules/student-area/student-area.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const REQUESTS = reads('session-requests', ['sessions', 'students', 'locations']);

/** Open requests of students. */
export const useSessionRequests = () =>
  usePaged([REQUESTS], (cursor, signal) =>
    read('GET /session-requests', { query: { cursor, limit: 20 }, signal }),
  );

/** The open request about a session, if any. */
export const useRequestOf = (session_id: string) =>
  useQuery({
    queryKey: [REQUESTS, session_id],
    queryFn: ({ signal }) => read('GET /session-requests', { query: { session_id }, signal }),
    select: ({ items }) => items.at(0),
  });

/** The cost for the student if a cancellation is granted. */
export function useGrantPreview({ id, no_prazo }: Pick<SessionRequest, 'id' | 'no_prazo'>) {
  const motivo: CancellationReason = no_prazo ? 'aluno_no_prazo' : 'aluno_fora_do_prazo';
  return useAnswer([REQUESTS, id, 'cost', motivo], 'GET /sessions/:id/cancellation', {
    of: [id],
    query: { motivo },
  });
}
