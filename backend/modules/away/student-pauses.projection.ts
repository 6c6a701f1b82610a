import { stateProjection } from '../../platform/projections/projection.js';
import { studentPause } from './student-pause.js';

/** The last pause of each student, under the student's id. */
export const studentPauses = stateProjection(studentPause, {
  name: 'student-pauses',
  topic: 'students',
  table: 'student_pauses',
  students: ({ student_id }) => [student_id as string],
  evolve(row: { desde: string; ate: string } | undefined, event) {
    const rest = { lotes: [], antes: [], sem_sessoes_ate: null, canceladas: [], ultima: null };
    const after = studentPause.evolve(row && { ...row, ...rest }, event);
    return after ? { desde: after.desde, ate: after.ate } : null;
  },
});
