import { type Selectable, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { Locations as LocationRow } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { pageOf } from '../../platform/http/page.js';
import { Problem } from '../../platform/http/problem.js';
import type { MinutesTo } from '../availability/ways.js';
import type { Location, LocationList, LocationPage } from './locations.api.js';

export const ListLocations = defineQuery(
  'ListLocations',
  async ({ read }, { cursor, limit, situacao }: LocationList): Promise<LocationPage> => {
    const rows = await read(
      existing({ cursor, active: situacao && situacao === 'ativos', limit: limit + 1 }),
    );
    return { ...pageOf(rows, limit, shown), total: rows[0]?.total ?? 0 };
  },
);

export const GetLocation = defineQuery('GetLocation', async ({ read }, id: string): Promise<Location> => {
  const [row] = await read(byId({ id }));
  if (!row) throw new Problem('locations.not_found');
  return shown(row);
});

interface Listed {
  cursor?: string | undefined;
  active?: boolean | undefined;
  limit: number;
}

const existing = statement((db, { cursor, active, limit }: Blanks<Listed>) => {
  const all = db
    .selectFrom('locations')
    .where('status', '=', 'existing')
    .$if(active !== undefined, (found) => found.where('is_active', '=', active!));
  return all
    .selectAll()
    .select(all.select(sql<number>`count(*)::int`.as('n')).as('total'))
    .$if(cursor !== undefined, (found) =>
      found.where(sql<boolean>`(busca, id) > (select busca, id from locations where id = ${cursor!})`),
    )
    .orderBy('busca')
    .orderBy('id')
    .limit(limit)
    .compile();
});

const byId = statement((db, { id }: Blanks<{ id: string }>) =>
  db.selectFrom('locations').selectAll().where('id', '=', id).where('status', '=', 'existing').compile(),
);

function shown(row: Selectable<LocationRow>): Location {
  return {
    id: row.id,
    nome: row.nome ?? 'Local sem nome',
    endereco: row.endereco,
    cep: row.cep,
    is_active: row.is_active,
    deslocamentos: Object.entries(row.deslocamentos as MinutesTo).map(([location_id, minutos]) => ({
      ...{ location_id, minutos },
    })),
    criado_em: row.criado_em.toISOString(),
  };
}
