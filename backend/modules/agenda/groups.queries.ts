import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Problem } from '../../platform/http/problem.js';
import { details, shown } from './agenda.queries.js';
import type { Group, GroupCancellation, OneHour } from './groups.api.js';
import { cancelHour } from './groups.commands.js';

export const ListGroup = defineQuery('ListGroup', async ({ read }, id: string): Promise<Group> => {
  const rows = await read(members({ id }));
  if (rows.length === 0) throw new Problem('agenda.group_not_found');
  return { items: rows.map(shown) };
});

const members = statement((db, { id }: Blanks<{ id: string }>) =>
  details(db).where('s.grupo_id', '=', id).orderBy('st.nome').orderBy('s.id').limit(100).compile(),
);

export const PreviewGroupCancellation = defineQuery(
  'PreviewGroupCancellation',
  { store: EventStore },
  async ({ context }, { store }, id: string, hour: OneHour): Promise<GroupCancellation> =>
    store.rehearse(context, (tx) => cancelHour(tx, id, hour)),
);
