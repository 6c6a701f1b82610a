import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { student } from './student.js';
import { studentsApi, studentErrors } from './students.api.js';
import {
  UpdateStudent,
  RegisterStudent,
  TagStudent,
  RemoveStudent,
  ArchiveStudent,
  RestoreStudent,
} from './students.commands.js';
import { ChangeStudents } from './students-bulk.commands.js';
import { studentHistory } from './students.history.js';
import { students } from './students.projection.js';
import { ListStudents, ListTags, GetStudent } from './students.queries.js';

@Module(
  together(
    serve(studentsApi, {
      update: UpdateStudent,
      list: ListStudents,
      register: RegisterStudent,
      changeMany: ChangeStudents,
      tags: ListTags,
      get: GetStudent,
      tag: TagStudent,
      remove: RemoveStudent,
      archive: ArchiveStudent,
      restore: RestoreStudent,
    }),
  ),
)
export class StudentsModule {
  static readonly feature: Feature = {
    aggregates: [student],
    projections: [students],
    history: studentHistory,
    errors: studentErrors,
  };
}
