import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { RecentStudents } from './recent-students.api.js';

const SHOWN = 6;
/** Days before and after now. */
const NEAR_DAYS = 28;

export class ListRecentStudents extends Query<RecentStudents> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ListRecentStudents)
export class ListRecentStudentsHandler implements IQueryHandler<ListRecentStudents> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: ListRecentStudents): Promise<RecentStudents> {
    return { items: await this.database.read(context.tenantId, recent({ now: this.clock.now() })) };
  }
}

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
