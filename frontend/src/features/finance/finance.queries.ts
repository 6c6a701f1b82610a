import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type {
  Allocations,
  FigureLines,
  FigurePart,
  MonthSummary,
  NewTransaction,
  Recorded,
  Transaction,
  TransactionCorrection,
  TransactionPage,
  TransactionsQuery,
  YearSummary,
} from '../../../../backend/modules/finance/finance.api.js';
import { useCommand } from '../../lib/command.js';
import type { Month } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { isLocal, localName } from '../../lib/outbox.js';
import { usePaged } from '../../lib/paged.js';
import { sendOrQueue, unmake } from '../../lib/pending.js';
import { entryTitle } from './pending-entries.js';
import { reads } from '../../lib/topics.js';

const FINANCE = reads('finance', ['transactions', 'students']);
/** Query key of summaries, which are projected after the entries and have their own hint. */
const MONTHS = reads('months', ['charges', 'students', 'plans', 'settings']);

const monthQuery = (month: Month) =>
  queryOptions({
    queryKey: [MONTHS, 'month', month],
    queryFn: ({ signal }) => http.get<MonthSummary>(`/finance/months/${month}`, undefined, signal),
  });

export const useMonth = (month: Month) => useQuery(monthQuery(month));

/** The summaries of several months; null until all are known. */

export function useMonths(months: readonly Month[]): MonthSummary[] | null {
  return useQueries({
    queries: months.map(monthQuery),
    combine: (all) => {
      const known = all.flatMap(({ data }) => data ?? []);
      return known.length === all.length ? known : null;
    },
  });
}

export function useYear(year: string) {
  return useQuery({
    queryKey: [MONTHS, 'year', year],
    queryFn: ({ signal }) => http.get<YearSummary>(`/finance/years/${year}`, undefined, signal),
  });
}

/** Filters of the month's entries; without a field, all match. */
export type EntryFilters = Partial<
  Pick<TransactionsQuery, 'tipo' | 'metodo_pagamento' | 'categoria' | 'texto' | 'min' | 'max'>
>;

export function useTransactions(month: Month, filters: EntryFilters) {
  return usePaged<Transaction, TransactionPage>([FINANCE, 'transactions', month, filters], (cursor, signal) =>
    http.get('/transactions', { month, ...filters, cursor }, signal),
  );
}

/** One entry; null asks for none. */
export function useTransaction(id: string | null) {
  return useQuery({
    queryKey: [FINANCE, 'transaction', id],
    queryFn: ({ signal }) => http.get<Transaction>(`/transactions/${id}`, undefined, signal),
    enabled: id !== null,
  });
}

/** The lines of a figure. Read separately from the month, so they may briefly not add up to its figure. */
export function useFigureLines(part: FigurePart) {
  return usePaged([MONTHS, 'lines', part], (cursor, signal) =>
    http.get<FigureLines>('/finance/lines', { ...part, cursor }, signal),
  );
}

export function useAllocations(transactionId: string) {
  return useQuery({
    queryKey: [FINANCE, 'allocations', transactionId],
    queryFn: ({ signal }) =>
      http.get<Allocations>(`/transactions/${transactionId}/allocations`, undefined, signal),
  });
}

const topics = ['transactions', 'months'];

/** Records an entry, or puts the request into the outbox while offline; returns its id in both cases. */
export function useRecordTransaction() {
  return useCommand({
    send: async (body: NewTransaction, key) => {
      const subject = localName(key);
      const answer = await sendOrQueue<Recorded>({
        ...{ key, method: 'POST', path: '/transactions', body, topics },
        ...{ subject, makes: true, effect: 'record', title: entryTitle(body) },
      });
      return 'queued' in answer ? { id: subject, reserva: 0, queued: true } : { ...answer, queued: false };
    },
    topics,
  });
}

type Entry = Pick<Transaction, 'id' | 'descricao' | 'valor'>;

/** Reverses an entry, or puts the request into the outbox while offline; an unsent entry is removed from the outbox. */
export function useReverseTransaction() {
  return useCommand({
    send: async ({ id, motivo, ...entry }: Entry & { motivo: string }, key) => {
      if (isLocal(id) && (await unmake(id)).length > 0) return;
      await sendOrQueue<{ id: string }>({
        ...{
          key,
          method: 'POST',
          path: `/transactions/${id}/reverse`,
          body: { motivo },
        },
        ...{ topics, subject: id, effect: 'reverse', title: entryTitle(entry) },
        alreadySo: 'finance.already_reversed',
      });
    },
    topics,
  });
}

/** Reverses an entry and records the corrected one. */
export function useCorrectTransaction(id: string) {
  return useCommand({
    send: (body: TransactionCorrection, key) =>
      http.post<{ id: string }>(`/transactions/${id}/correct`, key, body),
    topics,
  });
}
