import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { studentNote } from './student-note.js';
import { studentNoteErrors } from './student-notes.api.js';
import {
  ChangeStudentNote,
  RemoveStudentNote,
  RestoreStudentNote,
  WriteStudentNote,
} from './student-notes.commands.js';
import { StudentNotesController } from './student-notes.controller.js';
import { studentNoteHistory } from './student-notes.history.js';
import { studentNotes } from './student-notes.projection.js';
import { ListStudentNotes } from './student-notes.queries.js';

@Module({
  controllers: [StudentNotesController],
  providers: [
    WriteStudentNote.Handler,
    ChangeStudentNote.Handler,
    RemoveStudentNote.Handler,
    RestoreStudentNote.Handler,
    ListStudentNotes.Handler,
  ],
})
export class StudentNotesModule {
  static readonly feature: Feature = {
    aggregates: [studentNote],
    projections: [studentNotes],
    history: studentNoteHistory,
    errors: studentNoteErrors,
  };
}
