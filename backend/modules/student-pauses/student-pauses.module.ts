import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { studentPausesApi, studentPauseErrors } from './student-pauses.api.js';
import { PauseStudent } from './student-pauses.commands.js';
import { studentPauseHistory } from './student-pauses.history.js';
import { PreviewPause } from './student-pauses.queries.js';

/**
 * Pausing a student (`student-pauses`) extends current lots by the days of the pause, as a vacation does for all students, and
 * shortens them again if it ends early. A monthly plan is not billed for a month whose first day is in the pause. The student
 * cannot book on these days; the trainer can. A pause ends by its date, without a job.
 */
@Module(serve(studentPausesApi, { preview: PreviewPause, pause: PauseStudent }))
export class StudentPausesModule {
  static readonly feature: Feature = {
    history: studentPauseHistory,
    errors: studentPauseErrors,
  };
}
