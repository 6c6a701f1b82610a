import { RequestCard } from './request-card.js';
import { useRequestOf } from './requests.queries.js';

/** What the student asks about a session; nothing where that is nothing. */
export function SessionRequest({ sessionId }: { sessionId: string }) {
  const { data: request } = useRequestOf(sessionId);
  return request ? <RequestCard request={request} /> : null;
}
