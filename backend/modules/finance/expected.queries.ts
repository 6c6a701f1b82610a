import { type RawBuilder, sql } from 'kysely';

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
  where a.ativo and s.status = 'active' and a.proximo_mes <= ${mes} and (a.ate is null or a.ate >= ${mes})`;

/** The pause `u` of a student `s` on the day on which the month begins: it is not billed. */
export const pausedIn = (mes: Month) => sql`from student_pauses u
  where u.tenant_id = s.tenant_id and u.id = s.id and u.desde <= ${mes} and u.ate >= ${mes}`;

/** Those of them that are still to be billed. */
export const toBillIn = (mes: Month) => sql`${agreedIn(mes)} and not exists (select ${pausedIn(mes)})`;
