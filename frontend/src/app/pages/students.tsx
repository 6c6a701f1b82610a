import { PendingCredits } from '../../features/credits/pending-credits.js';
import { RenewButton } from '../../features/credits/renew-button.js';
import { StudentsPage } from '../../features/students/students-page.js';

type Parts = Parameters<typeof StudentsPage>[0];

// The same functions each time: a card is drawn anew only where its student is another.
const pending: Parts['pending'] = (id) => <PendingCredits studentId={id} />;
const renew: Parts['renew'] = ({ id, nome, plano }) =>
  plano && <RenewButton studentId={id} studentName={nome} planCredits={plano.creditos} />;

export default function Students() {
  return <StudentsPage pending={pending} renew={renew} />;
}
