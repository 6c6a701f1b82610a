import { type RawBuilder, sql } from 'kysely';

type Month = RawBuilder<unknown>;

/** Charges `c` that are due in the month which begins on this day, and not cancelled. */
export const chargedIn = (mes: Month) => sql`from charges c
  where c.status <> 'cancelada' and c.vencimento >= ${mes} and c.vencimento < (${mes} + interval '1 month')::date`;

/** Of these, the ones with something left to pay. */
export const openIn = (mes: Month) => sql`${chargedIn(mes)} and c.status = 'aberta'`;
export const LEFT = sql`c.valor - c.pago`;

/**
 * Active students `s`, and the agreements (`a`) by which they are still to be billed in the month that begins on this day. Without
 * students who are paused on that day.
 */
export const toBillIn = (mes: Month) => sql`from students s
  join monthly_plans a on a.tenant_id = s.tenant_id and a.id = s.id and a.ativo
  where s.status = 'active' and a.proximo_mes <= ${mes} and (a.ate is null or a.ate >= ${mes})
    and not exists (select from student_pauses u
      where u.tenant_id = s.tenant_id and u.id = s.id and u.desde <= ${mes} and u.ate >= ${mes})`;
