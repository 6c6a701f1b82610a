import { History } from '../../features/audit/history.js';
import RecurringPage from '../../features/finance/recurring-page.js';

export default function RecurringExpenses() {
  return <RecurringPage history={(id) => <History kind="expense" id={id} />} />;
}
