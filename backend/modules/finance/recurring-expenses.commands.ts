import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { dayOfMonth, monthAfter, monthReached } from '../../platform/local-time.js';
import { namedId } from '../../platform/derived-id.js';
import { loadEntryTerms } from './finance.commands.js';
import {
  decideEnd,
  decideSet,
  existingExpense,
  isDue,
  type KnownRecurringExpense,
  recurringExpense,
  type RecurringExpenseEvent,
} from './recurring-expense.js';
import type { RecurringExpenseChange, RecurringExpenseTerms } from './recurring-expenses.api.js';
import { decideRecord, transaction } from './transaction.js';

export const AddRecurringExpense = defineCommand(
  'AddRecurringExpense',
  (tx, terms: RecurringExpenseTerms) => {
    const id = randomUUID();
    const { timezone } = tx.context;
    tx.append(recurringExpense, id, decideSet(undefined, id, terms, { now: tx.now, timezone }));
    return Promise.resolve({ id });
  },
);

/** Changes an expense, or starts an ended one again. */
export const SetRecurringExpense = defineCommand(
  'SetRecurringExpense',
  async (tx, id: string, terms: RecurringExpenseChange) => {
    const state = await recordLate(tx, id);
    const { timezone } = tx.context;
    tx.append(recurringExpense, id, decideSet(state, id, terms, { now: tx.now, timezone }));
    return { id };
  },
);

export const EndRecurringExpense = defineCommand('EndRecurringExpense', async (tx, id: string) => {
  tx.append(recurringExpense, id, decideEnd(await recordLate(tx, id)));
  return { id };
});

/** Records overdue months first, so that the change does not apply to them. */
async function recordLate(tx: CommandTransaction, id: string): Promise<KnownRecurringExpense> {
  const state = existingExpense(await tx.load(recurringExpense, id));
  const last = monthReached(tx.now, tx.context.timezone, state.vence_dia);
  for (let mes = state.proximo_mes; mes <= last; mes = monthAfter(mes)) await recordDue(tx, id, mes);
  return existingExpense(await tx.load(recurringExpense, id));
}

/** A month's expense, when its day has come. */
export const RecordRecurringExpense = defineCommand(
  'RecordRecurringExpense',
  async (tx, id: string, mes: string) => {
    await recordDue(tx, id, mes);
    return { id };
  },
);

/** Records a month's expense, once: afterwards the month is no longer due. */
async function recordDue(tx: CommandTransaction, id: string, mes: string): Promise<void> {
  const state = await tx.load(recurringExpense, id);
  if (!isDue(state, mes)) return;
  const transaction_id = namedId(`${id} ${mes}`);
  const { descricao, valor, metodo_pagamento, categoria, vence_dia } = state;
  const entry = {
    tipo: 'despesa' as const,
    descricao: descricao ?? 'Despesa recorrente',
    valor,
    metodo_pagamento,
    categoria,
    data: dayOfMonth(mes, vence_dia),
  };
  tx.append(transaction, transaction_id, decideRecord(transaction_id, entry, await loadEntryTerms(tx)));
  const recorded: RecurringExpenseEvent = {
    type: 'RecurringExpenseRecorded',
    data: { expense_id: id, mes, transaction_id },
  };
  tx.append(recurringExpense, id, [recorded]);
}
