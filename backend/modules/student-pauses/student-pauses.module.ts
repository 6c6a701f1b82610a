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
 *
 * The trainer chooses what becomes of the student's sessions in the pause. They stay, or they are cancelled at no cost, as by a
 * vacation, with the same command, which decides on what is booked then. Then series without an end leave these days out too
 * (`sem_sessoes_ate`), and go on after the pause. Where a pause ends earlier, the sessions that it had cancelled come back if their time
 * is still free, and series book what they left out; "undo" (`mudanca_id`) takes back the last change as a whole, or is refused.
 */
@Module(serve(studentPausesApi, { preview: PreviewPause, pause: PauseStudent }))
export class StudentPausesModule {
  static readonly feature: Feature = {
    history: studentPauseHistory,
    errors: studentPauseErrors,
  };
}
