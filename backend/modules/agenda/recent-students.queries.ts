import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RecentStudents } from './recent-students.api.js';

const SHOWN = 6;
/** Days before and after now. */
const NEAR_DAYS = 28;

export const ListRecentStudents = defineQuery(
  'ListRecentStudents',
  async ({ now, read }): Promise<RecentStudents> => {
    return { items: await read(recent({ now })) };
  },
);

const recent = statement((db, { now }: Blanks<{ now: Date }>) =>
  sql<RecentStudents['items'][number]>`
    select st.id, st.nome, (
      select coalesce(sum(l.restante), 0)::int from credit_lot_balances l
      where l.tenant_id = st.tenant_id and l.student_id = st.id and l.restante > 0
        and (l.expires_at is null or l.expires_at > ${now}::timestamptz)
    ) as creditos
    from (
      select student_id, min(abs(extract(epoch from inicio - ${now}::timestamptz))) as distance
      from sessions
      where not deleted
        and inicio > ${now}::timestamptz - make_interval(days => ${sql.lit(NEAR_DAYS)})
        and inicio < ${now}::timestamptz + make_interval(days => ${sql.lit(NEAR_DAYS)})
      group by student_id
    ) near
    join students st on st.id = near.student_id
    where st.status = 'active' and st.nome is not null
    order by near.distance, st.id
    limit ${sql.lit(SHOWN)}`.compile(db),
);
