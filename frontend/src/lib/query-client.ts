import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient, ProblemError } from './problem.js';

// It hears of changes only, and a page may begin without a network.
onlineManager.setOnline(navigator.onLine);

const MOST_RETRIES = 3;

/** Three more tries, and only where trying again may help. */
const retry = (failures: number, error: unknown): boolean => failures < MOST_RETRIES && isTransient(error);

/** 1 s, 2 s, 4 s … at most 30 s; longer when the server asks for it (spec 1, section 9). Offline the network is waited for. */
function retryDelay(attempt: number, error: unknown): number {
  if (!navigator.onLine) return 0;
  const asked = error instanceof ProblemError && error.retryAfter ? error.retryAfter * 1000 : 0;
  return Math.max(asked, Math.min(1000 * 2 ** attempt, 30_000));
}

/** The membership in whose name it was asked has ended: what the person belongs to is read again. */
function onRefusal(error: unknown): void {
  if (!(error instanceof ProblemError)) return;
  if (error.code !== 'accounts.tenant_not_found' && error.code !== 'accounts.access_denied') return;
  void queryClient.invalidateQueries({ queryKey: ['me'] });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onRefusal }),
  defaultOptions: {
    queries: { gcTime: 5 * 60_000, staleTime: 30_000, retry, retryDelay, networkMode: 'offlineFirst' },
    // Who is offline hears it at once, instead of waiting for a network in front of a button.
    mutations: {
      retry: (failures, error) => navigator.onLine && retry(failures, error),
      retryDelay,
      networkMode: 'offlineFirst',
    },
  },
});
