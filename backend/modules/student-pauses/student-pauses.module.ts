import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { studentPause } from './student-pause.js';
import { studentPausesApi, studentPauseErrors } from './student-pauses.api.js';
import { PauseStudent } from './student-pauses.commands.js';
import { studentPauseHistory } from './student-pauses.history.js';
import { PreviewPause } from './student-pauses.queries.js';
import { studentPauses } from './student-pauses.projection.js';

@Module(serve(studentPausesApi, { preview: PreviewPause, pause: PauseStudent }))
export class StudentPausesModule {
  static readonly feature: Feature = {
    aggregates: [studentPause],
    projections: [studentPauses],
    history: studentPauseHistory,
    errors: studentPauseErrors,
  };
}
