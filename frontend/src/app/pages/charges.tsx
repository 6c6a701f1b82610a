import ChargesPage from '../../features/charges/charges-page.js';
import { ReceiptSection } from '../../features/receipts/receipt-section.js';

export default function Charges() {
  return (
    <ChargesPage receipt={(id, parts) => <ReceiptSection transactionId={id} reversed={false} {...parts} />} />
  );
}
