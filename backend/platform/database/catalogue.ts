import { type Selectable, sql } from 'kysely';
import { pageOf } from '../http/cursor.js';
import { Problem } from '../http/problem.js';
import { defineQuery } from './define-query.js';
import type { DB } from './schema.generated.js';
import { type Blanks, statement } from './statement.js';

/** Tables of named things that are offered or not (`is_active`), and keep their row once removed (`status`). */
type Catalogue = {
  [Table in keyof DB]: DB[Table] extends Record<'id' | 'busca' | 'status' | 'is_active', unknown>
    ? Table
    : never;
}[keyof DB];

interface Page {
  cursor?: string | undefined;
  limit: number;
  /** Only those that are offered, or only the others; all if absent. */
  situacao?: 'ativos' | 'inativos' | undefined;
}

interface Listed {
  cursor?: string | undefined;
  active?: boolean | undefined;
  limit: number;
}

/** The queries of a catalogue: a page of what exists, by name, and one of them. `missing`: the code of its 404. */
export function catalogue<Table extends Catalogue, Shown extends { id: string }>(
  table: Table,
  { missing, shown }: { missing: string; shown: (row: Selectable<DB[Table]>) => Shown },
) {
  type Row = Selectable<DB[Table]> & { id: string };
  const from = sql.table(table);
  const listed = statement((db, { cursor, active, limit }: Blanks<Listed>) => {
    const some = active === undefined ? sql`` : sql`and is_active = ${active}`;
    const after =
      cursor === undefined
        ? sql``
        : sql`and (busca, id) > (select busca, id from ${from} where id = ${cursor})`;
    return sql<Row & { total: number }>`select *,
          (select count(*)::int from ${from} where status = 'existing' ${some}) as total
        from ${from} where status = 'existing' ${some} ${after} order by busca, id limit ${limit}`.compile(
      db,
    );
  });
  const byId = statement((db, { id }: Blanks<{ id: string }>) =>
    sql<Row>`select * from ${from} where id = ${id} and status = 'existing'`.compile(db),
  );
  return {
    List: defineQuery(`List ${table}`, async ({ read }, { cursor, limit, situacao }: Page) => {
      const active = situacao && situacao === 'ativos';
      const rows = await read(listed({ cursor, active, limit: limit + 1 }));
      return { ...pageOf(rows, limit, shown), total: rows[0]?.total ?? 0 };
    }),
    Get: defineQuery(`Get of ${table}`, async ({ read }, id: string): Promise<Shown> => {
      const [row] = await read(byId({ id }));
      if (!row) throw new Problem(missing);
      return shown(row);
    }),
  };
}
