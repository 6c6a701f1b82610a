import { ContractReminders } from '../../features/contracts/contract-reminders.js';
import { useContractReminders } from '../../features/contracts/contracts.queries.js';
import { ExpiryWarnings, useExpiryWarnings } from '../../features/reminders/expiry-warnings.js';
import RemindersPanel from '../../features/reminders/reminders-panel.js';

/** What is ready to be sent: reminders of sessions, of contracts that nobody has signed, and of credits that expire. */
export default function Reminders() {
  const contracts = useContractReminders().data?.items ?? [];
  const warnings = useExpiryWarnings().data?.items ?? [];
  return (
    <RemindersPanel
      others={
        (contracts.length > 0 || warnings.length > 0) && (
          <>
            {contracts.length > 0 && <ContractReminders items={contracts} />}
            {warnings.length > 0 && <ExpiryWarnings items={warnings} />}
          </>
        )
      }
    />
  );
}
