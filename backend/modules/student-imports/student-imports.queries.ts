import { sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import type { StudentImportList, StudentImportPage } from './student-imports.api.js';

const place = z.tuple([instant, id]);

export const ListStudentImports = defineQuery(
  'ListStudentImports',
  async ({ read }, list: StudentImportList): Promise<StudentImportPage> => {
    const { limit, cursor } = list;
    const [em, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const rows = await read(latest({ em, last, limit: limit + 1 }));
    const items = rows.slice(0, limit).map(({ id, em: at, alunos, removidos, mantidos }) => ({
      ...{ id, em: new Date(at).toISOString(), alunos, removidos, mantidos },
    }));
    const end = items.at(-1);
    return { items, next: rows.length > limit && end ? encodeCursor([end.em, end.id]) : null };
  },
);

interface Asked {
  /** Last row of the previous page. */
  em?: string | undefined;
  last?: string | undefined;
  limit: number;
}

const latest = statement((db, { em, last, limit }: Blanks<Asked>) =>
  db
    .selectFrom('student_imports')
    .select(['id', 'em', 'alunos', 'removidos', 'mantidos'])
    .$if(last !== undefined, (found) =>
      found.where(sql<boolean>`(date_trunc('milliseconds', em), id) < (${em!}::timestamptz, ${last!}::uuid)`),
    )
    .orderBy(sql`date_trunc('milliseconds', em)`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .compile(),
);
