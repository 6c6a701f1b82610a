import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import type { OwnArea } from './area-links.api.js';
import { trainersName } from './trainers-name.queries.js';

/** The names that the student's area shows. */
export const ShowOwnArea = defineQuery('ShowOwnArea', async ({ context, read }): Promise<OwnArea> => {
  const { studentId, timezone } = context;
  const [row] = await read(area({ studentId: studentId! }));
  if (!row?.nome) throw new Problem('area_links.not_valid');
  return {
    primeiro_nome: row.nome.split(' ')[0]!,
    personal: row.personal ?? 'Seu personal',
    timezone,
    posicao: row.posicao,
  };
});

const area = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students as s')
    .select('s.nome')
    .select(trainersName.as('personal'))
    .select(
      sql<number>`coalesce((select c.position from projection_checkpoint c where c.tenant_id = s.tenant_id
        and c.projection = 'shared'), 0)`.as('posicao'),
    )
    .where('s.id', '=', studentId)
    .where('s.status', '<>', 'removed')
    .compile(),
);
