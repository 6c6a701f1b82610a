import type { ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { PendingCredits } from '../../features/credits/pending-credits.js';
import { RenewItem, RenewTap } from '../../features/credits/renew-parts.js';
import { StudentsPage } from '../../features/students/students-page.js';

type Parts = Parameters<typeof StudentsPage>[0];

const renewalOf = ({ id, nome, plano }: ListedStudent) => ({
  ...{ studentId: id, studentName: nome, planCredits: plano?.creditos ?? 0 },
});

// Stable functions, so that a row is rendered again only when its student has changed.
const parts: Parts = {
  pending: (id) => <PendingCredits studentId={id} />,
  renew: (student) => <RenewTap {...renewalOf(student)} />,
  renewItem: (student) => <RenewItem {...renewalOf(student)} />,
};

export default function Students() {
  return <StudentsPage {...parts} />;
}
