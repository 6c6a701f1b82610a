import { History } from '../../features/audit/history.js';
import { FinancePage } from '../../features/finance/finance-page.js';

export default function Finance() {
  return <FinancePage history={(id) => <History kind="transaction" id={id} />} />;
}
