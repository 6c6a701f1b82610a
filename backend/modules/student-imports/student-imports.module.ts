import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { studentImport } from './student-import.js';
import { studentImportsApi, studentImportErrors } from './student-imports.api.js';
import { ImportStudents, UndoStudentImport } from './student-imports.commands.js';
import { studentImportHistory } from './student-imports.history.js';
import { studentImports } from './student-imports.projection.js';
import { ListStudentImports } from './student-imports.queries.js';

@Module(
  together(
    serve(studentImportsApi, { import: ImportStudents, list: ListStudentImports, undo: UndoStudentImport }),
  ),
)
export class StudentImportsModule {
  static readonly feature: Feature = {
    aggregates: [studentImport],
    projections: [studentImports],
    history: studentImportHistory,
    errors: studentImportErrors,
  };
}
