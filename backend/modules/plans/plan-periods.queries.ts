import { sql } from 'kysely';
import { periods } from './plans.api.js';

/** The months of a period of a plan `p` that is no package. */
export const MONTHS_OF_PLAN = sql`case p.tipo ${sql.join(
  Object.entries(periods).map(([tipo, { meses }]) => sql`when ${sql.lit(tipo)} then ${sql.lit(meses)}`),
  sql` `,
)} end`;
