import { Tag } from '../../ui/tag.js';
import { useSessionRequests } from './requests.queries.js';

/** Says that a session's student has asked to change it. */
export default function RequestMark({ sessionId }: { sessionId: string }) {
  const requests = useSessionRequests().data?.pages.flatMap(({ items }) => items);
  const request = requests?.find(({ id }) => id === sessionId);
  return (
    request && (
      <Tag tone="warn" icon="chat" outlined>
        Pediu para {request.pedido}
      </Tag>
    )
  );
}
