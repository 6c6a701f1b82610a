import { PendingCredits } from '../../features/credits/pending-credits.js';
import { RenewButton } from '../../features/credits/renew-button.js';
import { StudentsPage } from '../../features/students/students-page.js';

export default function Students() {
  return (
    <StudentsPage
      pending={(id) => <PendingCredits studentId={id} />}
      renew={({ id, nome, plano }) =>
        plano && <RenewButton studentId={id} studentName={nome} planCredits={plano.creditos} />
      }
    />
  );
}
