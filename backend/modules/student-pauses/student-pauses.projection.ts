import { rowProjection } from '../../platform/projections/projection.js';
import { studentPause, type StudentPauseEvent } from './student-pause.js';

/** The last pause of each student, under the student's id. */
export const studentPauses = rowProjection<{ desde: string; ate: string }>({
  name: 'student-pauses',
  topic: 'students',
  table: 'student_pauses',
  events: ['StudentPaused', 'StudentResumed'] satisfies StudentPauseEvent['type'][],
  students: ({ student_id }) => [student_id as string],
  keys: ({ data }) => [data.student_id as string],
  evolve(row, event) {
    const after = studentPause.evolve(
      row && { ...row, lotes: [], antes: [] },
      event as unknown as StudentPauseEvent,
    );
    return after ? { desde: after.desde, ate: after.ate } : null;
  },
});
