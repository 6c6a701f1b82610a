import type {
  RecurringExpense,
  RecurringExpensePage,
} from '../../../../backend/modules/finance/recurring-expenses.api.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const RECURRING = reads('recurring-expenses', ['transactions']);

export function useRecurringExpenses() {
  return usePaged<RecurringExpense, RecurringExpensePage>([RECURRING], (cursor, signal) =>
    read('GET /recurring-expenses', { query: { cursor }, signal }),
  );
}

export function useAddRecurringExpense() {
  return useSend('POST /recurring-expenses');
}

/** Changes a recurring expense; an ended one starts again. */
export function useSetRecurringExpense(id: string) {
  return useSend('PUT /recurring-expenses/:id', id);
}

export function useEndRecurringExpense(id: string) {
  return useSend('DELETE /recurring-expenses/:id', id);
}
