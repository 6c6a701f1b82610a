import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { Guard } from '../../platform/event-store/guard.js';
import type { StudentAccessEvent } from '../accounts/student-access.js';
import type { SessionEvent } from '../agenda/session.js';
import type { CreditEvent } from '../credits/credit-account.js';

type LinkingEvent = Extract<
  SessionEvent['type'] | CreditEvent['type'] | StudentAccessEvent['type'],
  'SessionBooked' | 'SessionChanged' | 'CreditsGranted' | 'CreditsAdjusted' | 'InviteAccepted'
>;

/** Students of whom sessions or credits speak, or who have an account. */
export const studentLinks: Guard = {
  name: 'student-links',
  tables: ['student_links'],
  events: [
    'SessionBooked',
    'SessionChanged',
    'CreditsGranted',
    'CreditsAdjusted',
    'InviteAccepted',
  ] satisfies LinkingEvent[],
  statements({ tenantId, type, data }) {
    switch (type as LinkingEvent) {
      case 'SessionBooked':
      case 'SessionChanged':
      case 'CreditsGranted':
      case 'CreditsAdjusted':
      case 'InviteAccepted':
        return [
          {
            text: 'insert into student_links (tenant_id, student_id) values ($1, $2) on conflict do nothing',
            values: [tenantId, data.student_id],
          },
        ];
    }
  },
  violations: {},
};

const studentLinksOf = defineLookUp<Record<string, never>, [studentId: string]>(
  'select from student_links where tenant_id = $1 and student_id = $2',
);

export async function isStudentInUse(tx: CommandTransaction, studentId: string): Promise<boolean> {
  return (await tx.lookUp(studentLinksOf, studentId)).length > 0;
}
