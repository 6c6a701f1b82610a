import { type RawBuilder, sql } from 'kysely';
import { MONTHS_OF_PLAN } from '../plans/plan-periods.queries.js';

type Month = RawBuilder<unknown>;

/** Charges `c` that are due in the month which begins on this day, or up to the end of the last one, and not cancelled. */
export const chargedIn = (mes: Month, last = mes) => sql`from charges c
  where c.status <> 'cancelada' and c.vencimento >= ${mes} and c.vencimento < (${last} + interval '1 month')::date`;

/** Of these, the ones with something left to pay. */
export const openIn = (mes: Month) => sql`${chargedIn(mes)} and c.status = 'aberta'`;
export const LEFT = sql`c.valor - c.pago`;

/**
 * Active students `s`, and the agreements (`a`) that are not billed yet for the month that begins on this day. `limit`: each student is
 * looked up by their id, also by a plan that was made for a trainer without data, which would else compare all with all.
 */
export const agreedIn = (mes: Month) => sql`from monthly_plans a
  cross join lateral (select * from students s where s.tenant_id = a.tenant_id and s.id = a.id limit 1) s
  where a.ativo and s.status = 'active' and a.proximo_mes <= ${mes} and (a.ate is null or a.ate >= ${mes}) and ${beginsIn(mes)}`;

/**
 * Whether a period of the agreement begins with this month. A period that would begin in a pause begins after it, and those that follow
 * with it.
 */
const beginsIn = (mes: Month) => sql`(select p.tipo in ('mensal', 'pacote') or (
    select ((extract(year from ${mes}) - extract(year from f.mes)) * 12 + extract(month from ${mes}) - extract(month from f.mes))::int
      % ${MONTHS_OF_PLAN} = 0
    from (select coalesce((
      select (date_trunc('month', u.ate) + interval '1 month')::date from student_pauses u
      where u.tenant_id = a.tenant_id and u.id = a.id and u.ate < ${mes} and exists (
        select from generate_series(a.proximo_mes, u.ate, make_interval(months => ${MONTHS_OF_PLAN})) d where d >= u.desde)
    ), a.proximo_mes) as mes) f)
  from plans p where p.tenant_id = a.tenant_id and p.id = a.plano_id)`;

/** The pause `u` of a student `s` on the day on which the month begins: it is not billed. */
export const pausedIn = (mes: Month) => sql`from student_pauses u
  where u.tenant_id = s.tenant_id and u.id = s.id and u.desde <= ${mes} and u.ate >= ${mes}`;

/** The day of the month on which an agreement (`a`) is due. */
export const dueIn = (mes: Month) =>
  sql`least(${mes} + a.vence_dia - 1, (${mes} + interval '1 month')::date - 1)`;

/** Those of them that are still to be billed. */
export const toBillIn = (mes: Month) => sql`${agreedIn(mes)} and not exists (select ${pausedIn(mes)})`;
