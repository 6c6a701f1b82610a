import { VerifyPage } from '../../features/contracts/verify-page.js';
import { ReceiptResult } from '../../features/receipts/receipt-result.js';

export default function Verify() {
  return <VerifyPage receipt={(code) => <ReceiptResult code={code} />} />;
}
