import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { type Issued, charge, decideIssue, txidOf } from './charge.js';
import { chargeTermsStream, decideSetTerms, termsFor } from './charge-terms.js';
import type { ChargeTermsChange } from './charge-terms.api.js';

export const SetChargeTerms = defineCommand('SetChargeTerms', async (tx, wanted: ChargeTermsChange) => {
  const { tenantId } = tx.context;
  tx.append(chargeTermsStream, tenantId, decideSetTerms(await tx.load(chargeTermsStream, tenantId), wanted));
  return { id: tenantId };
});

/** Issues a charge with the trainer's terms of now; that of a booking has none, because its page has announced the amount. */
export async function issue(tx: CommandTransaction, wanted: Omit<Issued, 'termos' | 'txid'>): Promise<void> {
  const { charge_id, origem, entrada } = wanted;
  const termos =
    entrada === undefined ? termsFor(await tx.load(chargeTermsStream, tx.context.tenantId), origem) : null;
  tx.append(charge, charge_id, decideIssue({ ...wanted, termos, txid: txidOf(charge_id) }));
}
