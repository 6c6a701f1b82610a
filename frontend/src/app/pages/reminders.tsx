import { ContractReminders } from '../../features/contracts/contract-reminders.js';
import { useContractReminders } from '../../features/contracts/contracts.queries.js';
import { useOffersToSend, WaitingOffers } from '../../features/public-link/waiting-offers.js';
import { ExpiryWarnings, useExpiryWarnings } from '../../features/reminders/expiry-warnings.js';
import { Nudges, useNudges } from '../../features/reminders/nudges.js';
import RemindersPanel from '../../features/reminders/reminders-panel.js';

/** What is ready to be sent: offers of free times, reminders of sessions and unsigned contracts, and of credits that expire, and messages for birthdays and to who comes less. */
export default function Reminders() {
  const offers = useOffersToSend();
  const contracts = useContractReminders().data?.items ?? [];
  const warnings = useExpiryWarnings().data?.items ?? [];
  const nudges = useNudges().data?.items ?? [];
  return (
    <RemindersPanel
      others={
        [offers, contracts, warnings, nudges].some(({ length }) => length > 0) && (
          <>
            {offers.length > 0 && <WaitingOffers items={offers} />}
            {contracts.length > 0 && <ContractReminders items={contracts} />}
            {warnings.length > 0 && <ExpiryWarnings items={warnings} />}
            <Nudges items={nudges} />
          </>
        )
      }
    />
  );
}
