import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
// For every phone that the server reads, also in other modules.
import './phone-abroad.api.js';
import { personHistory } from './person.history.js';
import { person } from './person.js';
import { student } from './student.js';
import { studentsApi, studentErrors } from './students.api.js';
import { ArchiveStudent, RemoveStudent, TagStudent } from './students.commands.js';
import { ChangeStudents } from './students-bulk.commands.js';
import { studentHistory } from './students.history.js';
import { studentsOwnData } from './students.own-data.js';
import { students } from './students.projection.js';
import { ListStudents, ListTags, GetStudent } from './students.queries.js';

@Module(
  serve(studentsApi, {
    list: ListStudents,
    changeMany: ChangeStudents,
    tags: ListTags,
    get: GetStudent,
    tag: TagStudent,
    remove: RemoveStudent,
    archive: ArchiveStudent,
  }),
)
export class StudentsModule {
  static readonly feature: Feature = {
    aggregates: [student, person],
    projections: [students],
    history: { ...studentHistory, ...personHistory },
    ownData: studentsOwnData,
    errors: studentErrors,
  };
}
