import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { SessionDay, SessionDays, SessionDaysQuery } from './session-days.api.js';

export class CountSessionDays extends Query<SessionDays> {
  constructor(
    readonly context: RequestContext,
    readonly period: SessionDaysQuery,
  ) {
    super();
  }
}

@QueryHandler(CountSessionDays)
export class CountSessionDaysHandler implements IQueryHandler<CountSessionDays> {
  constructor(private readonly database: Database) {}

  async execute({ context, period }: CountSessionDays): Promise<SessionDays> {
    const { from, to, primeiras } = period;
    const days = { from, to, zone: context.timezone };
    const rows =
      primeiras === 0
        ? await this.database.report(context.tenantId, counts(days))
        : await this.database.read(context.tenantId, countsAndFirst({ ...days, first: primeiras }));
    return { items: rows.map(shown) };
  }
}

interface Days {
  from: string;
  to: string;
  zone: string;
}

interface Row extends Omit<SessionDay, 'primeiras'> {
  primeiras?: SessionDay['primeiras'];
}

const shown = ({ primeiras = [], ...counted }: Row): SessionDay => ({
  ...counted,
  primeiras: primeiras.map((session) => ({ ...session, inicio: new Date(session.inicio).toISOString() })),
});

/** The sessions that begin on these days, each with its day. Comparing instants alone may use an index under row security. */
const begun = ({ from, to, zone }: Blanks<Days>) => sql`
  select tenant_id, id, student_id, inicio, status, (inicio at time zone ${zone}::text)::date as dia
  from sessions
  where not deleted
    and inicio >= ${from}::date::timestamp at time zone ${zone}::text
    and inicio < ${to}::date::timestamp at time zone ${zone}::text`;

const byStatus = sql`
  s.dia::text,
  count(*) filter (where s.status = 'agendada')::int as agendada,
  count(*) filter (where s.status = 'feita')::int as feita,
  count(*) filter (where s.status = 'cancelada')::int as cancelada`;

/** It asks for nothing that the index on starts does not hold. */
const counts = statement((db, days: Blanks<Days>) =>
  sql<Row>`select ${byStatus} from (${begun(days)}) s group by s.dia order by s.dia`.compile(db),
);

const countsAndFirst = statement((db, { first, ...days }: Blanks<Days & { first: number }>) =>
  sql<Row>`
    select ${byStatus},
      jsonb_agg(
        jsonb_build_object('id', id, 'inicio', inicio, 'status', status, 'student_nome', (
          select nome from students st where st.tenant_id = s.tenant_id and st.id = s.student_id
        )) order by place
      ) filter (where place <= ${first}::int) as primeiras
    from (
      select *, row_number() over (partition by dia order by status = 'cancelada', inicio, id) as place
      from (${begun(days)}) b
    ) s
    group by s.dia order by s.dia`.compile(db),
);
