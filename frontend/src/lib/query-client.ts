import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient, ProblemError } from './problem.js';
import { choosePlace, forgetPositions } from './tenant.js';

// onlineManager is only notified of changes, so the state is set at the start.
onlineManager.setOnline(navigator.onLine);

const MOST_RETRIES = 3;

/** Up to three retries, for failures that may be temporary. */
const retry = (failures: number, error: unknown): boolean => failures < MOST_RETRIES && isTransient(error);

/**
 * 1 s, 2 s, 4 s … at most 30 s; longer if the server asks for it (spec 1, section 9). Offline, queries wait for the
 * network.
 */
function retryDelay(attempt: number, error: unknown): number {
  if (!navigator.onLine) return 0;
  const asked = error instanceof ProblemError && error.retryAfter ? error.retryAfter * 1000 : 0;
  return Math.max(asked, Math.min(1000 * 2 ** attempt, 30_000));
}

const NOT_HERE = new Set([
  'accounts.tenant_not_found',
  'accounts.student_not_found',
  'accounts.access_denied',
]);

/** The membership used for the request has ended: read the user's memberships again. */
function onRefusal(error: unknown): void {
  if (!(error instanceof ProblemError)) return;
  if (!NOT_HERE.has(error.code)) return;
  void queryClient.invalidateQueries({ queryKey: ['me'] });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onRefusal }),
  defaultOptions: {
    queries: { gcTime: 5 * 60_000, staleTime: 30_000, retry, retryDelay, networkMode: 'offlineFirst' },
    // Mutations fail at once while offline instead of pausing.
    mutations: {
      retry: (failures, error) => navigator.onLine && retry(failures, error),
      retryDelay,
      networkMode: 'offlineFirst',
    },
  },
});

/** At the sign-out: what was read belongs to nobody who is here. */
export function forgetTenant(): void {
  choosePlace(null);
  forgetPositions();
  queryClient.clear();
}
