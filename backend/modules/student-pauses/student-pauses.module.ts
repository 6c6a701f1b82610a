import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { studentPause } from './student-pause.js';
import { studentPauseErrors } from './student-pauses.api.js';
import { PauseStudent } from './student-pauses.commands.js';
import { StudentPausesController } from './student-pauses.controller.js';
import { studentPauseHistory } from './student-pauses.history.js';
import { PreviewPauseHandler } from './student-pauses.queries.js';
import { studentPauses } from './student-pauses.projection.js';

@Module({
  controllers: [StudentPausesController],
  providers: [PauseStudent.Handler, PreviewPauseHandler],
})
export class StudentPausesModule {
  static readonly feature: Feature = {
    aggregates: [studentPause],
    projections: [studentPauses],
    history: studentPauseHistory,
    errors: studentPauseErrors,
  };
}
