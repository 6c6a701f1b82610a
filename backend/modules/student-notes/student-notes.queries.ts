import { sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { calendarDate, id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import type { StudentNoteList, StudentNotePage } from './student-notes.api.js';

const place = z.tuple([calendarDate, instant, id]);

export const ListStudentNotes = defineQuery(
  'ListStudentNotes',
  { past: PastTables },
  async ({ context }, { past }, studentId: string, list: StudentNoteList): Promise<StudentNotePage> => {
    const { limit, cursor, at } = list;
    const { read } = await past.at(context.tenantId, at, notesOf(studentId));
    const [dia, written, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { studentId, dia, written, last, limit: limit + 1 };
    const rows = await read(latest(asked));
    if (rows.length === 0) throw new Problem(at === undefined ? 'students.not_found' : 'past.not_there');
    const found = rows.flatMap(({ id, dia, texto, criado_em }) =>
      id === null ? [] : [{ id, dia: dia!, texto: texto!, criado_em: new Date(criado_em!).toISOString() }],
    );
    const items = found.slice(0, limit);
    const end = items.at(-1);
    const next = found.length > limit && end ? encodeCursor([end.dia, end.criado_em, end.id]) : null;
    return { at, items, next };
  },
);

/** Notes are those that were about the student at any time. */
const notesOf = (studentId: string): WantedTables => ({
  tables: ['student_notes', 'students'],
  inClear: true,
  only: [{ of: 'student_notes', field: 'student_id', first: studentId, last: studentId, streams: true }],
});

interface Asked {
  studentId: string;
  /** Last row of the previous page. */
  dia?: string | undefined;
  written?: string | undefined;
  last?: string | undefined;
  limit: number;
}

/** A student's notes; one row with nulls for a student without notes. */
const latest = statement((db, { studentId, dia, written, last, limit }: Blanks<Asked>) =>
  db
    .selectFrom('students as s')
    .leftJoin('student_notes as n', (join) => {
      const standing = join
        .onRef('n.tenant_id', '=', 's.tenant_id')
        .onRef('n.student_id', '=', 's.id')
        .on('n.removed', '=', false)
        .on('n.texto', 'is not', null);
      return last === undefined
        ? standing
        : standing.on(
            sql<boolean>`(n.dia, n.criado_em, n.id) < (${dia!}::date, ${written!}::timestamptz, ${last}::uuid)`,
          );
    })
    .select(['n.id', 'n.dia', 'n.texto', 'n.criado_em'])
    .where('s.id', '=', studentId)
    .where('s.status', '<>', 'removed')
    .orderBy('n.dia', 'desc')
    .orderBy('n.criado_em', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .compile(),
);
