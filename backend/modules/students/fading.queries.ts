import { sql } from 'kysely';
import type { Blanks } from '../../platform/database/statement.js';
import { FADING_FROM, MISSED_AFTER_DAYS, PRESENCE_DAYS } from './students.api.js';

const days = (count: number) => sql`make_interval(days => ${sql.lit(count)})`;

/**
 * Active students who come less than they did: for `MISSED_AFTER_DAYS` without a session, with none booked, or with at most
 * half the sessions of the `PRESENCE_DAYS` before, which were `FADING_FROM` or more. Not who is new, or was paused in the last
 * `PRESENCE_DAYS`, but a pause that ended at once had no days; for as long after a vacation of the trainer fewer sessions say nothing.
 * `ultimas` and `anteriores` count the sessions that took place in the last `PRESENCE_DAYS` and in those before.
 */
export const fadingStudents = ({ now, today }: Blanks<{ now: Date; today: string }>) => sql<{
  id: string;
  ultimas: number;
  anteriores: number;
}>`(select w.id, coalesce(r.ultimas, 0) as ultimas, coalesce(r.anteriores, 0) as anteriores
  from students w
  left join (select x.student_id, max(x.inicio) filter (where x.status = 'feita') as ultima,
      min(x.inicio) filter (where x.status = 'feita') as primeira,
      bool_or(x.status = 'agendada' and x.fim >= ${now}::timestamptz) as agendada,
      count(*) filter (where x.status = 'feita' and x.inicio >= ${now}::timestamptz - ${days(PRESENCE_DAYS)})::int as ultimas,
      count(*) filter (where x.status = 'feita' and x.inicio < ${now}::timestamptz - ${days(PRESENCE_DAYS)})::int as anteriores
    from sessions x
    where not x.deleted and x.inicio >= ${now}::timestamptz - ${days(2 * PRESENCE_DAYS)}
    group by x.student_id) r on r.student_id = w.id
  left join student_pauses u on u.tenant_id = w.tenant_id and u.id = w.id
  where w.status = 'active' and w.nome is not null
    and least(w.criado_em, r.primeira) < ${now}::timestamptz - ${days(MISSED_AFTER_DAYS)}
    and coalesce(u.ate < u.desde or u.ate < ${today}::date - ${sql.lit(PRESENCE_DAYS)}, true)
    and (coalesce(r.ultima < ${now}::timestamptz - ${days(MISSED_AFTER_DAYS)}, true) and not coalesce(r.agendada, false)
      or r.anteriores >= ${sql.lit(FADING_FROM)} and r.ultimas * 2 <= r.anteriores
        and not exists (select from vacations v where v.tenant_id = w.tenant_id and v.status = 'active'
          and v.start_date <= ${today}::date and v.end_date >= ${today}::date - ${sql.lit(PRESENCE_DAYS)})))`;
