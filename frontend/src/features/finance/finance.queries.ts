import { useQuery } from '@tanstack/react-query';
import type {
  Allocations,
  MonthSummary,
  NewTransaction,
  Transaction,
  YearSummary,
} from '../../../../backend/modules/finance/finance.api.js';
import { useCommand } from '../../lib/command.js';
import type { Month } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';

export function useMonth(month: Month) {
  return useQuery({
    queryKey: ['finance', 'month', month],
    queryFn: ({ signal }) => http.get<MonthSummary>(`/finance/months/${month}`, undefined, signal),
  });
}

export function useYear(year: string) {
  return useQuery({
    queryKey: ['finance', 'year', year],
    queryFn: ({ signal }) => http.get<YearSummary>(`/finance/years/${year}`, undefined, signal),
  });
}

export function useTransactions(month: Month) {
  return usePaged(['finance', 'transactions', month], (cursor, signal) =>
    http.get<{ items: Transaction[]; next: string | null }>('/transactions', { month, cursor }, signal),
  );
}

export function useAllocations(transactionId: string) {
  return useQuery({
    queryKey: ['finance', 'allocations', transactionId],
    queryFn: ({ signal }) =>
      http.get<Allocations>(`/transactions/${transactionId}/allocations`, undefined, signal),
  });
}

export function useRecordTransaction() {
  return useCommand({
    send: (body: NewTransaction, key) => http.post<{ id: string }>('/transactions', key, body),
    topics: ['transactions'],
  });
}

export function useReverseTransaction() {
  return useCommand({
    send: (id: string, key) => http.post<{ id: string }>(`/transactions/${id}/reverse`, key),
    topics: ['transactions'],
  });
}
