import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { Guard } from '../../platform/event-store/guard.js';

/** Students of whom sessions or credits speak, or who have an account. */
export const studentLinks: Guard = {
  name: 'student-links',
  tables: ['student_links'],
  events: ['SessionBooked', 'SessionChanged', 'CreditsGranted', 'CreditsAdjusted', 'InviteAccepted'],
  statements: ({ tenantId, data }) => [
    {
      text: 'insert into student_links (tenant_id, student_id) values ($1, $2) on conflict do nothing',
      values: [tenantId, data.student_id],
    },
  ],
  violations: {},
};

export async function isStudentInUse(tx: CommandTransaction, studentId: string): Promise<boolean> {
  const links = await tx.query('select from student_links where tenant_id = $1 and student_id = $2', [
    tx.context.tenantId,
    studentId,
  ]);
  return links.length > 0;
}
