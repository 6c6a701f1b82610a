import type {
  CreditAdjustment,
  CreditBalance,
  CreditStatement,
  CreditUse,
  LowCreditsPage,
} from '../../../../backend/modules/credits/credits.api.js';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';

const topics = ['credits'];

/** The account with its statement read page by page; balance and lots come with every page, those of the first one count. */
export function useCreditStatement(studentId: string) {
  return useInfiniteQuery({
    queryKey: ['credits', studentId],
    queryFn: ({ pageParam, signal }) =>
      http.get<CreditStatement>(`/students/${studentId}/credits`, { cursor: pageParam, limit: 8 }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ extrato }) => extrato.next ?? undefined,
  });
}

export function useLowCredits() {
  return usePaged(['credits', 'low'], (cursor, signal) =>
    http.get<LowCreditsPage>('/credits/low', { cursor, limit: 5 }, signal),
  );
}

export function useRenewCredits(studentId: string) {
  return useCommand({
    send: (_renewal: 'renew', key) => http.post<CreditBalance>(`/students/${studentId}/credits/renew`, key),
    topics,
  });
}

export function useAdjustCredits(studentId: string) {
  return useCommand({
    send: (body: CreditAdjustment, key) =>
      http.post<CreditBalance>(`/students/${studentId}/credits/adjust`, key, body),
    topics,
  });
}

export function useConsumeCredit(studentId: string) {
  return useCommand({
    send: (body: CreditUse, key) =>
      http.post<CreditBalance>(`/students/${studentId}/credits/consume`, key, body),
    topics,
  });
}
