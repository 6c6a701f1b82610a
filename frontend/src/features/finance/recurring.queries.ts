import type {
  RecurringExpense,
  RecurringExpensePage,
  RecurringExpenseChange,
  RecurringExpenseTerms,
} from '../../../../backend/modules/finance/recurring-expenses.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const RECURRING = reads('recurring-expenses', ['transactions']);
const topics = ['transactions'];

export function useRecurringExpenses() {
  return usePaged<RecurringExpense, RecurringExpensePage>([RECURRING], (cursor, signal) =>
    http.get('/recurring-expenses', { cursor }, signal),
  );
}

export function useAddRecurringExpense() {
  return useCommand({
    send: (body: RecurringExpenseTerms, key) => http.post<{ id: string }>('/recurring-expenses', key, body),
    topics,
  });
}

/** Changes a recurring expense; an ended one starts again. */
export function useSetRecurringExpense(id: string) {
  return useCommand({
    send: (body: RecurringExpenseChange, key) =>
      http.put<{ id: string }>(`/recurring-expenses/${id}`, key, body),
    topics,
  });
}

export function useEndRecurringExpense(id: string) {
  return useCommand({
    send: (_now: 'end', key) => http.delete<{ id: string }>(`/recurring-expenses/${id}`, key),
    topics,
  });
}
