import { type RawBuilder, sql } from 'kysely';

type Month = RawBuilder<unknown>;

/** Charges `c` that are due in the month which begins on this day, and not cancelled. */
export const chargedIn = (mes: Month) => sql`from charges c
  where c.status <> 'cancelada' and c.vencimento >= ${mes} and c.vencimento < (${mes} + interval '1 month')::date`;

/** Of these, the ones with something left to pay. */
export const openIn = (mes: Month) => sql`${chargedIn(mes)} and c.status = 'aberta'`;
export const LEFT = sql`c.valor - c.pago`;

/** Active students `s`, and the agreements (`a`) that are not billed yet for the month that begins on this day. */
export const agreedIn = (mes: Month) => sql`from students s
  join monthly_plans a on a.tenant_id = s.tenant_id and a.id = s.id and a.ativo
  where s.status = 'active' and a.proximo_mes <= ${mes} and (a.ate is null or a.ate >= ${mes})`;

/** The pause `u` of a student `s` on the day on which the month begins: it is not billed. */
export const pausedIn = (mes: Month) => sql`from student_pauses u
  where u.tenant_id = s.tenant_id and u.id = s.id and u.desde <= ${mes} and u.ate >= ${mes}`;

/** Those of them that are still to be billed. */
export const toBillIn = (mes: Month) => sql`${agreedIn(mes)} and not exists (select ${pausedIn(mes)})`;
