import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import type { StudentEvent } from '../students/student.js';
import type { StudentAccessEvent } from './student-access.js';

const end = ({ student_id }: { student_id: string }): Write[] => [
  ['delete from area_links where tenant_id = $1 and student_id = $2', student_id],
];

/** The valid link to a student's area, by the hash of its token. It ends when the student gets an account. */
export const areaLinks = defineGuard<StudentAccessEvent | StudentEvent>({
  name: 'area-links',
  tables: ['area_links'],
  writes: {
    AreaLinkOpened: ({ student_id, link_id, token_hash, expires_at }) => [
      [
        `insert into area_links (tenant_id, student_id, link_id, token_hash, expires_at)
          values ($1, $2, $3, decode($4, 'hex'), $5) on conflict (tenant_id, student_id) do update
          set link_id = excluded.link_id, token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
        student_id,
        link_id,
        token_hash,
        expires_at,
      ],
    ],
    AreaLinkEnded: end,
    InviteAccepted: end,
    StudentRemoved: end,
  },
});

const close = ({
  student_id,
  payer_id = null,
}: {
  student_id: string;
  payer_id?: string | null;
}): Write[] => [
  [
    `update student_invites set closed = true
      where tenant_id = $1 and student_id = $2 and ($3::uuid is null or payer_id = $3)`,
    student_id,
    payer_id,
  ],
];

/** Invites by the hash of their token, and whether they can still be used. */
export const studentInvites = defineGuard<StudentAccessEvent>({
  name: 'student-invites',
  tables: ['student_invites'],
  writes: {
    StudentInvited: ({ invite_id, student_id, token_hash, expires_at, payer_id = null }) => [
      [
        `insert into student_invites (tenant_id, id, student_id, token_hash, expires_at, payer_id)
          values ($1, $2, $3, decode($4, 'hex'), $5, $6)`,
        invite_id,
        student_id,
        token_hash,
        expires_at,
        payer_id,
      ],
    ],
    InvitesCancelled: close,
    InviteAccepted: ({ student_id }) => close({ student_id }),
  },
});
