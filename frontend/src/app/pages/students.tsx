import { RenewButton } from '../../features/credits/renew-button.js';
import { StudentsPage } from '../../features/students/students-page.js';

export default function Students() {
  return (
    <StudentsPage
      renew={({ id, nome, plano }) =>
        plano && <RenewButton studentId={id} studentName={nome} planCredits={plano.creditos} />
      }
    />
  );
}
