import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import type { CheckResult, Integrity } from './seals.api.js';

export const ShowIntegrity = defineQuery('ShowIntegrity', async ({ read }): Promise<Integrity> => {
  const [seals, checks] = await Promise.all([read(newest({})), read(lastChecks({}))]);
  const [seal] = seals;
  return {
    lacre: seal ? { dia: seal.day, feito_em: seal.made_at.toISOString() } : null,
    verificacoes: checks.map(({ id, requested_at, done_at, result }) => ({
      id,
      pedida_em: requested_at.toISOString(),
      concluida_em: done_at?.toISOString() ?? null,
      resultado: result,
    })),
  };
});

const newest = statement((db) =>
  db.selectFrom('seals').select(['day', 'made_at']).orderBy('day', 'desc').limit(1).compile(),
);

const lastChecks = statement((db) =>
  db
    .selectFrom('integrity_checks')
    .select(['id', 'requested_at', 'done_at'])
    .select(sql<CheckResult | null>`result`.as('result'))
    .orderBy('requested_at', 'desc')
    .limit(10)
    .compile(),
);
