import { type RawBuilder, sql } from 'kysely';

type Month = RawBuilder<unknown>;

/** Charges `c` that are due in the month which begins on this day, and not cancelled. */
export const chargedIn = (mes: Month) => sql`from charges c
  where c.status <> 'cancelada' and c.vencimento >= ${mes} and c.vencimento < (${mes} + interval '1 month')::date`;

/**
 * Students `s` whose monthly plans are still to be billed in the month that begins on this day: by their agreement (`a`), from its
 * next month to be billed; without one, active students by their plan (`p`), unless it was charged by hand. Without students who
 * are paused on that day.
 */
export const toBillIn = (mes: Month) => sql`from students s
  left join monthly_plans a on a.tenant_id = s.tenant_id and a.id = s.id and a.ativo
  left join plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id and p.tipo = 'mensal' and a.id is null
  where s.status = 'active' and not exists (select from student_pauses u
    where u.tenant_id = s.tenant_id and u.id = s.id and u.desde <= ${mes} and u.ate >= ${mes}) and (
    a.id is not null and a.proximo_mes <= ${mes} and (a.ate is null or a.ate >= ${mes})
    or p.id is not null and not exists (
      select from charges c where c.student_id = s.id and c.plano_id = p.id and c.status <> 'cancelada'
        and c.vencimento >= ${mes} and c.vencimento < (${mes} + interval '1 month')::date))`;
