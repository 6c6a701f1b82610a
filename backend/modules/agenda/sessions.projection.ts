import { rowProjection } from '../../platform/projections/projection.js';
import { type FormerDetails, type KnownSession, session, type SessionEvent } from './session.js';

/** The folded state of each session; deleted ones keep their row, so that they can be restored. */
export const sessions = rowProjection<KnownSession>({
  name: 'sessions',
  version: 2,
  topic: 'sessions',
  table: 'sessions',
  events: [
    'SessionBooked',
    'SessionGrouped',
    'SessionRescheduled',
    'SessionChanged',
    'SessionCompleted',
    'SessionReopened',
    'SessionCancelled',
    'SessionDeleted',
    'SessionRestored',
  ] satisfies SessionEvent['type'][],
  students: studentsOf,
  keys: ({ data }) => [data.session_id as string],
  evolve: (row, event) => session.evolve(row, event as unknown as SessionEvent) ?? null,
});

/** The students of a session before and after the event. */
function studentsOf(data: Record<string, unknown>): string[] {
  const { student_id, antes } = data as { student_id: string; antes?: FormerDetails };
  return [student_id, ...(antes?.student_id ? [antes.student_id] : [])];
}
