import { ContractReminders } from '../../features/contracts/contract-reminders.js';
import { useContractReminders } from '../../features/contracts/contracts.queries.js';
import RemindersPanel from '../../features/reminders/reminders-panel.js';

/** What is ready to be sent: reminders of sessions, and of contracts that nobody has signed. */
export default function Reminders() {
  const contracts = useContractReminders().data?.items ?? [];
  return <RemindersPanel others={contracts.length > 0 && <ContractReminders items={contracts} />} />;
}
