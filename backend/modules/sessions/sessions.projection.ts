import { stateProjection } from '../../platform/projections/projection.js';
import { type FormerDetails, type KnownSession, session } from './session.js';

/** The folded state of each session; deleted ones keep their row, so that they can be restored. */
export const sessions = stateProjection(session, {
  name: 'sessions',
  version: 2,
  topic: 'sessions',
  table: 'sessions',
  students: studentsOf,
  // A time was taken or is free again.
  everyStudent: 'free-times',
  evolve: (row: KnownSession | undefined, event) => session.evolve(row, event) ?? null,
});

/** The students of a session before and after the event. */
function studentsOf(data: Record<string, unknown>): string[] {
  const { student_id, antes } = data as { student_id: string; antes?: FormerDetails };
  return [student_id, ...(antes?.student_id ? [antes.student_id] : [])];
}
