import { RequestCard } from './request-card.js';
import { useRequestOf } from './requests.queries.js';

/** The student's open request about a session; renders nothing without one. */
export function SessionRequest({ sessionId }: { sessionId: string }) {
  const { data: request } = useRequestOf(sessionId);
  return request ? <RequestCard request={request} /> : null;
}
