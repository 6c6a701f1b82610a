import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { financialSettings } from '../settings/financial-settings.js';
import type { NewTransaction } from './finance.api.js';
import { decideRecord, decideReverse, transaction } from './transaction.js';

export const RecordTransaction = defineCommand('RecordTransaction', async (tx, entry: NewTransaction) => {
  const id = randomUUID();
  const { imposto, reserva, operacional, retirada } = await tx.load(financialSettings, tx.context.tenantId);
  tx.append(transaction, id, decideRecord(id, entry, { imposto, reserva, operacional, retirada }));
  return { id };
});

/** Returns the id of the reversing entry. */
export const ReverseTransaction = defineCommand('ReverseTransaction', async (tx, id: string) => {
  const reversal = randomUUID();
  tx.append(transaction, id, decideReverse(await tx.load(transaction, id), reversal));
  return { id: reversal };
});
