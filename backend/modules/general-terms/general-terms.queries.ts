import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import type { ShownTerms } from './general-terms.api.js';

export const ShowGeneralTerms = defineQuery('ShowGeneralTerms', async ({ read }): Promise<ShownTerms> => {
  const [row] = await read(own({}));
  return { aceite: row ? { versao: row.versao, em: row.aceito_em.toISOString() } : null };
});

const own = statement((db) => db.selectFrom('general_terms').select(['versao', 'aceito_em']).compile());
