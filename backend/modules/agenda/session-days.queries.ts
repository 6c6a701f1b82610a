import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { SessionDay, SessionDays, SessionDaysQuery } from './session-days.api.js';

export const CountSessionDays = defineQuery(
  'CountSessionDays',
  async ({ context, read, report }, period: SessionDaysQuery): Promise<SessionDays> => {
    const { from, to, primeiras } = period;
    const days = { from, to, zone: context.timezone };
    const rows =
      primeiras === 0
        ? await report(counts(days))
        : await read(countsAndFirst({ ...days, first: primeiras }));
    return { items: rows.map(shown) };
  },
);

interface Days {
  from: string;
  to: string;
  zone: string;
}

interface Row extends Omit<SessionDay, 'primeiras'> {
  primeiras?: (Omit<SessionDay['primeiras'][number], 'student_nome' | 'outros'> & {
    nomes: (string | null)[];
  })[];
}

const shown = ({ primeiras = [], ...counted }: Row): SessionDay => ({
  ...counted,
  primeiras: primeiras.map(({ nomes, inicio, ...hour }) => {
    const [student_nome = null, ...outros] = nomes;
    return { ...hour, inicio: new Date(inicio).toISOString(), student_nome, outros };
  }),
});

/**
 * The hours that lie in these days, once for each of their days; the sessions of a group are one hour. Under row security only a
 * comparison of instants can use an index, and no session lasts more than six hours.
 */
const hours = ({ from, to, zone }: Blanks<Days>, more = sql``, join = sql``) => sql`
  select * from (
    select *, primeiro + generate_series(0, ultimo - primeiro) as dia
    from (
      select inicio, (inicio at time zone ${zone}::text)::date as primeiro,
        ((max(fim) - interval '1 microsecond') at time zone ${zone}::text)::date as ultimo,
        case when bool_or(s.status = 'agendada') then 'agendada' when bool_or(s.status = 'feita') then 'feita'
          else 'cancelada' end as status ${more}
      from sessions s ${join}
      where not s.deleted
        and inicio > ${from}::date::timestamp at time zone ${zone}::text - interval '6 hours'
        and inicio < ${to}::date::timestamp at time zone ${zone}::text
      group by inicio, coalesce(grupo_id, s.id)
    ) h
  ) d
  where dia >= ${from}::date and dia < ${to}::date`;

const byStatus = sql`
  s.dia::text,
  count(*) filter (where s.status = 'agendada')::int as agendada,
  count(*) filter (where s.status = 'feita')::int as feita,
  count(*) filter (where s.status = 'cancelada')::int as cancelada`;

/** Reads only columns of the index on starts. */
const counts = statement((db, days: Blanks<Days>) =>
  sql<Row>`select ${byStatus} from (${hours(days)}) s group by s.dia order by s.dia`.compile(db),
);

/** Students of a group whose session was cancelled are only named if all were. */
const members = sql`, (array_agg(s.id order by s.id))[1] as id,
  coalesce(array_agg(st.nome order by st.nome) filter (where s.status <> 'cancelada'),
    array_agg(st.nome order by st.nome)) as nomes`;
const theirNames = sql`left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id`;

const countsAndFirst = statement((db, { first, ...days }: Blanks<Days & { first: number }>) =>
  sql<Row>`
    select ${byStatus},
      json_agg(
        json_build_object('id', id, 'inicio', inicio, 'status', status, 'nomes', nomes) order by place
      ) filter (where place <= ${first}::int) as primeiras
    from (
      select *, row_number() over (partition by dia order by status = 'cancelada', inicio, id) as place
      from (${hours(days, members, theirNames)}) b
    ) s
    group by s.dia order by s.dia`.compile(db),
);
