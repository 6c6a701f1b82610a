import { ContractReminders } from '../../features/contracts/contract-reminders.js';
import { useContractReminders } from '../../features/contracts/contracts.queries.js';
import { useOffersToSend, WaitingOffers } from '../../features/public-link/waiting-offers.js';
import { ExpiryWarnings, useExpiryWarnings } from '../../features/reminders/expiry-warnings.js';
import RemindersPanel from '../../features/reminders/reminders-panel.js';

/** What is ready to be sent: offers of free times, reminders of sessions and unsigned contracts, and of credits that expire. */
export default function Reminders() {
  const offers = useOffersToSend();
  const contracts = useContractReminders().data?.items ?? [];
  const warnings = useExpiryWarnings().data?.items ?? [];
  return (
    <RemindersPanel
      others={
        (offers.length > 0 || contracts.length > 0 || warnings.length > 0) && (
          <>
            {offers.length > 0 && <WaitingOffers items={offers} />}
            {contracts.length > 0 && <ContractReminders items={contracts} />}
            {warnings.length > 0 && <ExpiryWarnings items={warnings} />}
          </>
        )
      }
    />
  );
}
