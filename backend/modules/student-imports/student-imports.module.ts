import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { studentImport } from './student-import.js';
import { studentImportErrors } from './student-imports.api.js';
import { ImportStudents, UndoStudentImport } from './student-imports.commands.js';
import { StudentImportsController } from './student-imports.controller.js';
import { studentImportHistory } from './student-imports.history.js';
import { studentImports } from './student-imports.projection.js';
import { ListStudentImports } from './student-imports.queries.js';

@Module({
  controllers: [StudentImportsController],
  providers: [ImportStudents.Handler, UndoStudentImport.Handler, ListStudentImports.Handler],
})
export class StudentImportsModule {
  static readonly feature: Feature = {
    aggregates: [studentImport],
    projections: [studentImports],
    history: studentImportHistory,
    errors: studentImportErrors,
  };
}
