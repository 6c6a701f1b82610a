import { sql } from 'kysely';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';

/** Whether the account of the membership `m` is several students of the tenant's trainer. */
export const isOneOfSeveral = sql<boolean>`exists (select from memberships as sibling
  where sibling.tenant_id = m.tenant_id and sibling.user_id = m.user_id and sibling.student_id <> m.student_id)`;

/** The name of a student whose account is several of the trainer, which tells them apart; no row for others. */
export const nameAmongSeveral = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'm.student_id'))
    .select('s.nome')
    .where('m.student_id', '=', studentId)
    .where(isOneOfSeveral)
    .compile(),
);
