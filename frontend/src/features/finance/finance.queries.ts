import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../lib/answer.js';
import type {
  FigurePart,
  MonthChanges,
  MonthSummary,
  NewTransaction,
  Recorded,
  Transaction,
  TransactionPage,
  TransactionsQuery,
} from '../../../../backend/modules/finance/finance.api.js';
import { read } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import type { Month } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { isLocal, localName } from '../../lib/outbox.js';
import { usePaged } from '../../lib/paged.js';
import { sendOrQueue, unmake } from '../../lib/pending.js';
import { entryTitle } from './pending-entries.js';
import { reads } from '../../lib/topics.js';

const FINANCE = reads('finance', ['transactions', 'students']);
const MONTHS = reads('months', [
  'charges',
  'students',
  'plans',
  'settings',
  'transactions',
  'delivered-months',
]);

/** What was known at a moment (`at`): nothing that is recorded later changes it. */
const PAST = reads('past-finance', []);
const CHANGES = reads('changes', ['transactions', 'months', 'charges', 'students', 'plans', 'settings']);

export const monthQuery = (month: Month, at?: string) =>
  queryOptions({
    queryKey: at ? [PAST, 'month', month, at] : [MONTHS, 'month', month],
    queryFn: ({ signal }) => read('GET /finance/months/:month', { of: [month], query: { at }, signal }),
  });

export const useMonth = (month: Month, at?: string) => useQuery(monthQuery(month, at));

/** What changed in a month since a moment. */
export function useMonthChanges(month: Month, at: string) {
  return usePaged<MonthChanges['items'][number], MonthChanges>([CHANGES, month, at], (cursor, signal) =>
    http.get(`/finance/months/${month}/changes`, { at, cursor, limit: 20 }, signal),
  );
}

/** The summaries of several months; null until all are known. */
export function useMonths(months: readonly Month[], at?: string): MonthSummary[] | null {
  return useQueries({
    queries: months.map((month) => monthQuery(month, at)),
    combine: (all) => {
      const known = all.flatMap(({ data }) => data ?? []);
      return known.length === all.length ? known : null;
    },
  });
}

export function useYear(year: string, at?: string) {
  return useAnswer(at ? [PAST, 'year', year, at] : [MONTHS, 'year', year], 'GET /finance/years/:year', {
    of: [year],
    query: { at },
  });
}

/** Filters of the month's entries; without a field, all match. */
export type EntryFilters = Partial<
  Pick<TransactionsQuery, 'tipo' | 'metodo_pagamento' | 'categoria' | 'texto' | 'min' | 'max'>
>;

export function useTransactions(month: Month, filters: EntryFilters, at?: string) {
  const of = ['transactions', month, filters];
  return usePaged<Transaction, TransactionPage>(at ? [PAST, ...of, at] : [FINANCE, ...of], (cursor, signal) =>
    read('GET /transactions', { query: { month, ...filters, at, cursor }, signal }),
  );
}

/** One entry; null asks for none. */
export function useTransaction(id: string | null) {
  return useQuery({
    queryKey: [FINANCE, 'transaction', id],
    queryFn: ({ signal }) => read('GET /transactions/:id', { of: [id!], signal }),
    enabled: id !== null,
  });
}

/** The lines of a figure. Read separately from the month, so they may briefly not add up to its figure. */
export function useFigureLines(part: FigurePart, at?: string) {
  return usePaged(at ? [PAST, 'lines', part, at] : [MONTHS, 'lines', part], (cursor, signal) =>
    read('GET /finance/lines', { query: { ...part, at, cursor }, signal }),
  );
}

export function useAllocations(transactionId: string) {
  return useAnswer([FINANCE, 'allocations', transactionId], 'GET /transactions/:id/allocations', {
    of: [transactionId],
  });
}

/** Records an entry, or puts the request into the outbox while offline; returns its id in both cases. */
export function useRecordTransaction() {
  return useCommand({
    send: async (body: NewTransaction, key) => {
      const subject = localName(key);
      const answer = await sendOrQueue<Recorded>({
        key,
        method: 'POST',
        path: '/transactions',
        body,
        subject,
        makes: true,
        effect: 'record',
        title: entryTitle(body),
      });
      return 'queued' in answer ? { id: subject, reserva: 0, queued: true } : { ...answer, queued: false };
    },
  });
}

type Entry = Pick<Transaction, 'id' | 'descricao' | 'valor'>;

/** Reverses an entry, or puts the request into the outbox while offline; an unsent entry is removed from the outbox. */
export function useReverseTransaction() {
  return useCommand({
    send: async ({ id, motivo, ...entry }: Entry & { motivo: string }, key) => {
      if (isLocal(id) && (await unmake(id)).length > 0) return;
      await sendOrQueue<{ id: string }>({
        key,
        method: 'POST',
        path: `/transactions/${id}/reverse`,
        body: { motivo },
        subject: id,
        effect: 'reverse',
        title: entryTitle(entry),
        alreadySo: 'finance.already_reversed',
      });
    },
  });
}
