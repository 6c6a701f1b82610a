import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import type { StudentAccessEvent } from './student-access.js';

const close = ({ student_id }: { student_id: string }): Write[] => [
  ['update student_invites set closed = true where tenant_id = $1 and student_id = $2', student_id],
];

/** Invites by the hash of their token, and whether they can still be used. */
export const studentInvites = defineGuard<StudentAccessEvent>({
  name: 'student-invites',
  tables: ['student_invites'],
  writes: {
    StudentInvited: ({ invite_id, student_id, token_hash, expires_at }) => [
      [
        `insert into student_invites (tenant_id, id, student_id, token_hash, expires_at)
          values ($1, $2, $3, decode($4, 'hex'), $5)`,
        ...[invite_id, student_id, token_hash, expires_at],
      ],
    ],
    InvitesCancelled: close,
    InviteAccepted: close,
  },
});
