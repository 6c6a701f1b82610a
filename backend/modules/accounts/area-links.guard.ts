import type { Guard } from '../../platform/event-store/guard.js';
import type { StudentEvent } from '../students/student.js';
import type { StudentAccessEvent } from './student-access.js';

type LinkEvent =
  | Extract<StudentAccessEvent, { type: 'AreaLinkOpened' | 'AreaLinkEnded' | 'InviteAccepted' }>
  | Extract<StudentEvent, { type: 'StudentRemoved' }>;

/** The valid link to a student's area, by the hash of its token. It ends when the student gets an account. */
export const areaLinks: Guard = {
  name: 'area-links',
  tables: ['area_links'],
  events: [
    'AreaLinkOpened',
    'AreaLinkEnded',
    'InviteAccepted',
    'StudentRemoved',
  ] satisfies LinkEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as LinkEvent;
    switch (type) {
      case 'AreaLinkOpened':
        return [
          {
            text: `insert into area_links (tenant_id, student_id, link_id, token_hash, expires_at)
              values ($1, $2, $3, decode($4, 'hex'), $5) on conflict (tenant_id, student_id) do update
              set link_id = excluded.link_id, token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
            values: [tenantId, data.student_id, data.link_id, data.token_hash, data.expires_at],
          },
        ];
      case 'AreaLinkEnded':
      case 'InviteAccepted':
      case 'StudentRemoved':
        return [
          {
            text: 'delete from area_links where tenant_id = $1 and student_id = $2',
            values: [tenantId, data.student_id],
          },
        ];
    }
  },
  violations: {},
};
