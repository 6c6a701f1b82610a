import { rowProjection } from '../../platform/projections/projection.js';
import { studentAccess } from './student-access.js';

interface AccessRow {
  invite_id: string | null;
  expires_at: string | null;
  user_id: string | null;
  since: string | null;
}

const nobody: AccessRow = { invite_id: null, expires_at: null, user_id: null, since: null };

/** Links and accounts of students, by the student's id. */
export const studentAccesses = rowProjection<AccessRow>({
  name: 'student-access',
  topic: 'access',
  table: 'student_access',
  events: Object.keys(studentAccess.events),
  keys: ({ data }) => [data.student_id as string],
  evolve(row, { type, data, recordedAt }) {
    switch (type) {
      case 'StudentInvited': {
        const { invite_id, expires_at } = data as { invite_id: string; expires_at: string };
        return { ...nobody, invite_id, expires_at };
      }
      case 'InviteAccepted':
        return { ...nobody, user_id: data.user_id as string, since: recordedAt.toISOString() };
      default:
        return type === 'InvitesCancelled'
          ? { ...(row ?? nobody), invite_id: null, expires_at: null }
          : nobody;
    }
  },
});
