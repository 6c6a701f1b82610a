import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { defaultMakeUpRules, type MakeUpRules } from './make-up.api.js';

export const ShowMakeUpRules = defineQuery('ShowMakeUpRules', async ({ read }): Promise<MakeUpRules> => {
  const [row] = await read(rules({}));
  return row ?? defaultMakeUpRules;
});

const rules = statement((db) =>
  db.selectFrom('make_up_rules').select(['ativo', 'teto_percent', 'prazo_meses']).compile(),
);
