import { useMemo, useState } from 'react';
import type { ListedStudent } from '../../../../backend/modules/students/students.api.js';
import type { Renewal } from '../../features/credits/credits.queries.js';
import { PendingCredits } from '../../features/credits/pending-credits.js';
import { RenewItem, RenewTap } from '../../features/credits/renew-parts.js';
import RenewSheet from '../../features/credits/renew-sheet.js';
import { StudentsPage } from '../../features/students/students-page.js';

type Parts = Parameters<typeof StudentsPage>[0];

const renewalOf = ({ id, nome, plano }: ListedStudent): Renewal | null =>
  plano && { studentId: id, studentName: nome, plan: plano };

export default function Students() {
  const [renewal, setRenewal] = useState<Renewal | null>(null);
  // Stable functions, so that a row is rendered again only when its student has changed.
  const parts = useMemo<Parts>(
    () => ({
      pending: (id) => <PendingCredits studentId={id} />,
      renew: (student) => (
        <RenewTap studentName={student.nome} onTap={() => setRenewal(renewalOf(student))} />
      ),
      renewItem: (student) => <RenewItem onTap={() => setRenewal(renewalOf(student))} />,
    }),
    [],
  );
  return (
    <>
      <StudentsPage {...parts} />
      <RenewSheet renewal={renewal} onClose={() => setRenewal(null)} />
    </>
  );
}
