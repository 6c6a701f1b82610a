import { type Selectable, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { Plans as PlanRow } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { pageOf } from '../../platform/http/page.js';
import { Problem } from '../../platform/http/problem.js';
import type { Plan, PlanKind, PlanList, PlanPage } from './plans.api.js';

export const ListPlans = defineQuery(
  'ListPlans',
  async ({ read }, { cursor, limit, situacao }: PlanList): Promise<PlanPage> => {
    const rows = await read(
      existing({ cursor, active: situacao && situacao === 'ativos', limit: limit + 1 }),
    );
    return { ...pageOf(rows, limit, shown), total: rows[0]?.total ?? 0 };
  },
);

export const GetPlan = defineQuery('GetPlan', async ({ read }, id: string): Promise<Plan> => {
  const [row] = await read(byId({ id }));
  if (!row) throw new Problem('plans.not_found');
  return shown(row);
});

interface Listed {
  cursor?: string | undefined;
  active?: boolean | undefined;
  limit: number;
}

const existing = statement((db, { cursor, active, limit }: Blanks<Listed>) => {
  const all = db
    .selectFrom('plans')
    .where('status', '=', 'existing')
    .$if(active !== undefined, (found) => found.where('is_active', '=', active!));
  return all
    .selectAll()
    .select(all.select(sql<number>`count(*)::int`.as('n')).as('total'))
    .$if(cursor !== undefined, (found) =>
      found.where(sql<boolean>`(busca, id) > (select busca, id from plans where id = ${cursor!})`),
    )
    .orderBy('busca')
    .orderBy('id')
    .limit(limit)
    .compile();
});

const byId = statement((db, { id }: Blanks<{ id: string }>) =>
  db.selectFrom('plans').selectAll().where('id', '=', id).where('status', '=', 'existing').compile(),
);

function shown(row: Selectable<PlanRow>): Plan {
  return {
    id: row.id,
    nome: row.nome,
    descricao: row.descricao,
    valor: row.valor,
    creditos: row.creditos,
    validade_dias: row.validade_dias,
    tipo: row.tipo as PlanKind,
    is_active: row.is_active,
    criado_em: row.criado_em.toISOString(),
  };
}
