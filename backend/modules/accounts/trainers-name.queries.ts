import { sql } from 'kysely';

/** SQL: the name in the account of the current tenant's trainer. */
export const TRAINERS_NAME = `(select u.user_metadata ->> 'nome' from memberships m join auth.users u on u.id = m.user_id
  where m.role = 'personal' limit 1)`;

export const trainersName = sql.raw<string | null>(TRAINERS_NAME);
