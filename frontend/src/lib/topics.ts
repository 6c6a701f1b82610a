import type { QueryClient } from '@tanstack/react-query';

/**
 * Which reads a change of a topic touches, by the first word of their query key. A topic that is not listed touches the reads of its own name;
 * every change is in the history.
 */
const reads: Readonly<Record<string, readonly string[]>> = {
  students: ['students', 'search', 'credits', 'sessions', 'dashboard', 'finance'],
  plans: ['plans', 'students', 'credits', 'finance', 'dashboard'],
  locations: ['locations', 'policies', 'sessions', 'dashboard'],
  credits: ['credits', 'students', 'sessions'],
  sessions: ['sessions', 'search', 'dashboard', 'credits'],
  transactions: ['finance', 'dashboard'],
  settings: ['settings', 'finance', 'me', 'sessions', 'dashboard'],
  account: ['account', 'me'],
};

/** Marks as stale what these topics touch; what is on the screen is read again at once. */
export async function refresh(client: QueryClient, topics: readonly string[]): Promise<void> {
  const names = new Set(topics.flatMap((topic) => reads[topic] ?? [topic]));
  names.add('history');
  await client.invalidateQueries({ predicate: ({ queryKey }) => names.has(String(queryKey[0])) });
}
