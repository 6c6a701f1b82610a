import { Advisor } from '../../features/advisor/advisor.js';
import WaitingPix from '../../features/charges/waiting-pix.js';
import { FinancePage } from '../../features/finance/finance-page.js';
import { ReceiptSection } from '../../features/receipts/receipt-section.js';

export default function Finance() {
  return (
    <FinancePage
      advisor={<Advisor />}
      waiting={<WaitingPix />}
      receipt={({ id, estornada_por }, onFilling) => (
        <ReceiptSection transactionId={id} reversed={estornada_por !== null} onFilling={onFilling} />
      )}
    />
  );
}
