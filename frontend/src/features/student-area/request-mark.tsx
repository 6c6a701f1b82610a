import { firstName } from '../../../../backend/platform/first-name.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { Tag } from '../../ui/tag.js';
import { useSessionRequests } from './requests.queries.js';

/** Says that students have asked to change one of the sessions of an hour, and of several who it is. */
export default function RequestMark({ sessionIds }: { sessionIds: readonly string[] }) {
  const requests = useSessionRequests().data?.pages.flatMap(({ items }) => items) ?? [];
  const [request, ...others] = requests.filter(({ id }) => sessionIds.includes(id));
  if (!request) return null;
  const first = firstName(request.student_nome);
  return (
    <Tag tone="warn" icon="chat" outlined>
      {others.length > 0
        ? plural(others.length + 1, 'pedido', 'pedidos')
        : `${sessionIds.length > 1 ? `${first} pediu` : 'Pediu'} para ${request.pedido}`}
    </Tag>
  );
}
