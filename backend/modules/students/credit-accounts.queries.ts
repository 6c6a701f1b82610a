import { type RawBuilder, sql } from 'kysely';

/** The accounts whose credits a student uses, in their order of use: the own one, and that of the student who shares theirs (or null). */
export const accountsOf = (student: RawBuilder<unknown>) =>
  sql`array[${student}, (select k.dono_id from credit_sharing k where k.id = ${student})]`;

/** The accounts whose credits a student uses or has used, and those to which they have passed when records were merged. */
export const everAccountsOf = (student: RawBuilder<unknown>) =>
  sql`array(with recursive c (id) as (
      (select ${student} union select unnest(k.contas) from credit_sharing k where k.id = ${student})
      union select m.juntado_em from c join students m on m.id = c.id where m.juntado_em is not null)
    select id from c)`;

/** Whether the student `s` uses the credits of another one, whose plan is the one to be renewed. */
export const usesShared = sql<boolean>`exists (
  select from credit_sharing k where k.tenant_id = s.tenant_id and k.id = s.id and k.dono_id is not null)`;
