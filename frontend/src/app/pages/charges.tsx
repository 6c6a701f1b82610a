import { History } from '../../features/audit/history.js';
import ChargesPage from '../../features/charges/charges-page.js';
import { usePlanChoices } from '../../features/plans/plans.queries.js';
import { ReceiptSection } from '../../features/receipts/receipt-section.js';
import { StudentField } from '../../features/students/student-field.js';

export default function Charges() {
  const plans = usePlanChoices();
  return (
    <ChargesPage
      StudentField={StudentField}
      plans={plans.data?.items.filter(({ is_active, valor }) => is_active && valor > 0)}
      history={(id) => <History kind="charge" id={id} />}
      receipt={(id, parts) => <ReceiptSection transactionId={id} reversed={false} {...parts} />}
    />
  );
}
