import { Advisor } from '../../features/advisor/advisor.js';
import { History } from '../../features/audit/history.js';
import WaitingPix from '../../features/charges/waiting-pix.js';
import { FinancePage } from '../../features/finance/finance-page.js';
import { ReceiptSection } from '../../features/receipts/receipt-section.js';
import { StudentField, StudentName } from '../../features/students/student-field.js';

export default function Finance() {
  return (
    <FinancePage
      StudentField={StudentField}
      StudentName={StudentName}
      advisor={<Advisor />}
      waiting={<WaitingPix />}
      history={(id) => <History kind="transaction" id={id} />}
      receipt={({ id, estornada_por }, onFilling) => (
        <ReceiptSection transactionId={id} reversed={estornada_por !== null} onFilling={onFilling} />
      )}
    />
  );
}
