import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { pageOf } from '../../platform/http/page.js';
import { defaultPolicy, type PolicyList, type PolicyPage } from './policies.api.js';

export const ListPolicies = defineQuery(
  'ListPolicies',
  async ({ read }, { cursor, limit }: PolicyList): Promise<PolicyPage> => {
    const rows = await read(byLocation({ cursor, limit: limit + 1 }));
    return pageOf(rows, limit, (row) => ({
      location_id: row.id,
      location_nome: row.nome ?? 'Local sem nome',
      cancel_limite_horas: row.cancel_limite_horas ?? defaultPolicy.cancel_limite_horas,
      taxa_percent: row.taxa_percent ?? defaultPolicy.taxa_percent,
      queima_credito: row.queima_credito ?? defaultPolicy.queima_credito,
      padrao: row.own === null,
    }));
  },
);

const byLocation = statement(
  (db, { cursor, limit }: Blanks<{ cursor?: string | undefined; limit: number }>) =>
    db
      .selectFrom('locations as l')
      .leftJoin('policies as p', (join) => sameTenant(join, 'p.id', 'l.id'))
      .select([
        'l.id',
        'l.nome',
        'p.id as own',
        'p.cancel_limite_horas',
        'p.taxa_percent',
        'p.queima_credito',
      ])
      .where('l.status', '=', 'existing')
      .$if(cursor !== undefined, (locations) =>
        locations.where(
          sql<boolean>`(l.busca, l.id) > (select busca, id from locations where id = ${cursor!})`,
        ),
      )
      .orderBy('l.busca')
      .orderBy('l.id')
      .limit(limit)
      .compile(),
);
