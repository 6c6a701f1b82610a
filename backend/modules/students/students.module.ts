import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { student } from './student.js';
import { studentErrors } from './students.api.js';
import {
  ArchiveStudent,
  RegisterStudent,
  RemoveStudent,
  RestoreStudent,
  TagStudent,
  UpdateStudent,
} from './students.commands.js';
import { ChangeStudents } from './students-bulk.commands.js';
import { StudentsController } from './students.controller.js';
import { studentHistory } from './students.history.js';
import { students } from './students.projection.js';
import { GetStudent, ListStudents, ListTags } from './students.queries.js';

@Module({
  controllers: [StudentsController],
  providers: [
    RegisterStudent.Handler,
    UpdateStudent.Handler,
    ArchiveStudent.Handler,
    RemoveStudent.Handler,
    RestoreStudent.Handler,
    TagStudent.Handler,
    ChangeStudents.Handler,
    ListStudents.Handler,
    GetStudent.Handler,
    ListTags.Handler,
  ],
})
export class StudentsModule {
  static readonly feature: Feature = {
    aggregates: [student],
    projections: [students],
    history: studentHistory,
    errors: studentErrors,
  };
}
