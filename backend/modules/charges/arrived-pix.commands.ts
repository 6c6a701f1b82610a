import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { decideReverse, transaction, type TransactionState } from '../finance/transaction.js';
import { arrivedPix, decided } from './arrived-pix.js';

/** Undoes a decision: what it left as income is reversed, because a Pix that is to be decided counts nowhere. */
export const ReopenPix = defineCommand('ReopenPix', async (tx, id: string) => {
  const { transaction_id, decisao } = decided(await tx.load(arrivedPix, id));
  const entry = await lastOf(tx, decisao.transaction_id ?? transaction_id);
  const estorno_id = entry?.estorno_id === null ? randomUUID() : null;
  if (estorno_id !== null)
    tx.append(transaction, entry!.transaction_id, decideReverse(entry, estorno_id, 'Decisão desfeita'));
  const { valor, charge_id, student_id } = decisao;
  const about = { pix_id: id, valor, charge_id, student_id };
  tx.append(arrivedPix, id, [{ type: 'PixReopened', data: { ...about, transaction_id: null, estorno_id } }]);
  return { id };
});

/** The entry, or the latest correction of it. */
async function lastOf(tx: CommandTransaction, id: string | null): Promise<TransactionState> {
  const entry = id === null ? undefined : await tx.load(transaction, id);
  return entry?.corrigida_por ? lastOf(tx, entry.corrigida_por) : entry;
}
