import { RequestCard } from './request-card.js';
import { useSessionRequests } from './requests.queries.js';

/** What the student asks about a session; nothing where that is nothing. */
export function SessionRequest({ sessionId }: { sessionId: string }) {
  const request = useSessionRequests().data?.items.find(({ id }) => id === sessionId);
  return request ? <RequestCard request={request} /> : null;
}
