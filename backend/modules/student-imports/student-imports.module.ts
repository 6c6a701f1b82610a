import { Module } from '@nestjs/common';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import type { Effects } from '../../platform/event-store/effect.js';
import { plural } from '../../platform/plural.api.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { definePrice } from '../audit/price.queries.js';
import { studentImport, type StudentImportEvent } from './student-import.js';
import {
  studentImportsApi,
  studentImportErrors,
  type StudentImportList,
  type StudentImportPage,
} from './student-imports.api.js';
import { ImportStudents, UndoStudentImport, UndoWholeImport } from './student-imports.commands.js';

const place = z.tuple([instant, id]);

const ListStudentImports = defineQuery(
  'ListStudentImports',
  async ({ read }, list: StudentImportList): Promise<StudentImportPage> => {
    const { limit, cursor } = list;
    const [em, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const rows = await read(latest({ em, last, limit: limit + 1 }));
    const items = rows.slice(0, limit).map(({ id, em: at, alunos, removidos, mantidos }) => ({
      id,
      em: new Date(at).toISOString(),
      alunos,
      removidos,
      mantidos,
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

interface ImportRow {
  em: string;
  alunos: number;
  removidos: number;
  mantidos: number;
}

/** How many students each import created, and how many the undoing removed. */
const studentImports = stateProjection(studentImport, {
  name: 'student-imports',
  topic: 'student-imports',
  table: 'student_imports',
  evolve(row: ImportRow | undefined, { recordedAt, ...event }) {
    const { em, alunos, removidos, mantidos } = row ?? {
      em: recordedAt.toISOString(),
      alunos: 0,
      removidos: 0,
      mantidos: 0,
    };
    const { type, data } = event;
    switch (type) {
      case 'StudentsImported':
        return { em, alunos: alunos + data.alunos.length, removidos, mantidos };
      case 'StudentImportUndone':
        return {
          em,
          alunos,
          removidos: removidos + data.removidos.length,
          mantidos: mantidos + data.mantidos.length,
        };
    }
  },
});

const subjects = ({ import_id }: { import_id: string }) => [`import:${import_id}`];
const students = (count: number) => plural(count, 'aluno', 'alunos');

const studentImportHistory: HistoryWords<StudentImportEvent> = {
  StudentsImported: {
    subjects,
    words: ({ alunos }) => `Importou ${students(alunos.length)} de um arquivo`,
  },
  StudentImportUndone: {
    subjects,
    words: ({ removidos, mantidos }) =>
      `Desfez a importação de ${students(removidos.length)}` +
      (mantidos.length > 0 ? `; ${students(mantidos.length)} em uso, mantidos` : ''),
  },
};

interface Undone {
  removidos: string[];
  mantidos: string[];
}

const importEffects: Effects = {
  StudentImportUndone: ({ removidos, mantidos }: Undone) => [
    {
      kind: 'removed',
      quantidade: removidos.length,
      student_id: null,
      texto: (sum) => `remove ${plural(sum, 'aluno', 'alunos')}`,
    },
    {
      kind: 'kept',
      quantidade: mantidos.length,
      student_id: null,
      texto: (sum) => `mantém ${plural(sum, 'aluno já em uso', 'alunos já em uso')}`,
    },
  ],
};

/**
 * An import of students is read in the browser (`.xlsx`, `.csv`, `.vcf`) in a worker thread that is ended after 20 seconds, with
 * limits for the file (10 MB), the unpacked sheet (60 MB), its cells and its lines (`read-file.ts`, `workbook.ts`), and sent in
 * several requests. Its id follows from its lines, and its stream knows which lines it has imported, so a file that is imported
 * again after an interruption adds each student once. Opening balances are separate lots (`CreditsOpened`); a monthly plan in a
 * line is agreed with the student, at the plan's price and with the start and due day that the page asks for where the file has
 * none. Undoing the import removes all its students that are not in use.
 */
@Module(
  together(
    serve(studentImportsApi, {
      import: ImportStudents,
      list: ListStudentImports,
      undo: UndoStudentImport,
      undoPrice: definePrice<[string]>('PriceUndoImport', UndoWholeImport),
    }),
    { providers: [UndoWholeImport.Handler] },
  ),
)
export class StudentImportsModule {
  static readonly feature: Feature = {
    aggregates: [studentImport],
    projections: [studentImports],
    effects: importEffects,
    history: studentImportHistory,
    ownData: {
      trainer: {
        'importacoes-de-alunos': `select id, em, alunos, removidos, mantidos from student_imports order by em, id`,
      },
    },
    errors: studentImportErrors,
  };
}
