import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { definePrice } from '../audit/price.queries.js';
import { studentImport } from './student-import.js';
import { studentImportsApi, studentImportErrors } from './student-imports.api.js';
import { ImportStudents, UndoStudentImport, UndoWholeImport } from './student-imports.commands.js';
import { importEffects } from './student-imports.effects.js';
import { studentImportHistory } from './student-imports.history.js';
import { studentImports } from './student-imports.projection.js';
import { ListStudentImports } from './student-imports.queries.js';

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
