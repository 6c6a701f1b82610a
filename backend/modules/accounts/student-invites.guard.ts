import type { Guard } from '../../platform/event-store/guard.js';
import type { StudentAccessEvent } from './student-access.js';

/** Invites by the hash of their token, and whether they can still be used. */
export const studentInvites: Guard = {
  name: 'student-invites',
  tables: ['student_invites'],
  events: ['StudentInvited', 'InvitesCancelled', 'InviteAccepted'] satisfies StudentAccessEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as StudentAccessEvent;
    switch (type) {
      case 'StudentInvited':
        return [
          {
            text: `insert into student_invites (tenant_id, id, student_id, token_hash, expires_at)
              values ($1, $2, $3, decode($4, 'hex'), $5)`,
            values: [tenantId, data.invite_id, data.student_id, data.token_hash, data.expires_at],
          },
        ];
      case 'InvitesCancelled':
      case 'InviteAccepted':
        return [
          {
            text: 'update student_invites set closed = true where tenant_id = $1 and student_id = $2',
            values: [tenantId, data.student_id],
          },
        ];
      case 'AccessTakenOver':
      case 'StudentAccessEnded':
      case 'AreaLinkOpened':
      case 'AreaLinkEnded':
        return [];
    }
  },
  violations: {},
};
