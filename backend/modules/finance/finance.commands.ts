import { randomUUID } from 'node:crypto';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { financialSettings } from '../settings/financial-settings.js';
import type { NewTransaction } from './finance.api.js';
import { decideRecord, decideReverse, transaction } from './transaction.js';

export const RecordTransaction = defineCommand('RecordTransaction', async (tx, entry: NewTransaction) => {
  const id = randomUUID();
  const { imposto, reserva, operacional, retirada } = await tx.load(financialSettings, tx.context.tenantId);
  tx.append(transaction, id, decideRecord(id, entry, { imposto, reserva, operacional, retirada }));
  return { id };
});

/** The charge that a receita pays. */
const chargeOf = defineLookUp<{ charge_id: string }, [claim: string]>(
  'select charge_id from charge_claims where tenant_id = $1 and claim = $2',
);

/** Returns the id of the reversing entry. What pays a charge is taken back there, with what the payment granted. */
export const ReverseTransaction = defineCommand('ReverseTransaction', async (tx, id: string) => {
  const reversal = randomUUID();
  const events = decideReverse(await tx.load(transaction, id), reversal);
  const [paid] = await tx.lookUp(chargeOf, `transaction:${id}`);
  if (paid) throw new Problem('finance.settles_charge', { charge_id: paid.charge_id });
  tx.append(transaction, id, events);
  return { id: reversal };
});
