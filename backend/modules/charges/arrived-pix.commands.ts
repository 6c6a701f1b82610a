import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { loadShares } from '../finance/finance.commands.js';
import { decideRecord, decideReverse, transaction, type TransactionState } from '../finance/transaction.js';
import { arrivedPix, decided } from './arrived-pix.js';

/** Undoes a decision: reverses the entry that it recorded, and records again the income that it removed. */
export const ReopenPix = defineCommand('ReopenPix', async (tx, id: string) => {
  const { valor, aplicado, charge_id, student_id, transaction_id, decisao } = decided(
    await tx.load(arrivedPix, id),
  );
  const entry = await lastOf(tx, decisao.transaction_id ?? transaction_id);
  const takesBack = decisao.transaction_id !== null && entry?.reversed === false;
  const estorno_id = takesBack ? randomUUID() : null;
  if (estorno_id !== null)
    tx.append(transaction, entry!.transaction_id, decideReverse(entry, estorno_id, 'Decisão desfeita'));
  const recorded = decisao.estorno_id !== null && entry ? await recordAgain(tx, entry) : null;
  const about = { pix_id: id, valor: valor - aplicado, charge_id, student_id };
  tx.append(arrivedPix, id, [
    { type: 'PixReopened', data: { ...about, transaction_id: recorded, estorno_id } },
  ]);
  return { id };
});

/** The entry, or the latest correction of it. */
async function lastOf(tx: CommandTransaction, id: string | null): Promise<TransactionState> {
  const entry = id === null ? undefined : await tx.load(transaction, id);
  return entry?.corrigida_por ? lastOf(tx, entry.corrigida_por) : entry;
}

async function recordAgain(
  tx: CommandTransaction,
  { tipo, valor, data, metodo_pagamento, descricao, student_id, categoria }: NonNullable<TransactionState>,
): Promise<string> {
  const id = randomUUID();
  const entry = { tipo, valor, data, metodo_pagamento, student_id, categoria };
  const recorded = decideRecord(
    id,
    { ...entry, descricao: descricao ?? 'Pix a decidir' },
    await loadShares(tx),
  );
  tx.append(transaction, id, recorded);
  return id;
}
