import type { QueryClient } from '@tanstack/react-query';

/** Topics that a kind of query follows besides its own, by the first word of its query key. Filled by the features. */
const followed = new Map<string, readonly string[] | 'all'>();

/**
 * Declares a kind of query: the first word of its keys, which is also the topic that it follows, and the other topics
 * whose changes it shows. Returns that word.
 */
export function reads(kind: string, alsoFollows: readonly string[] | 'all'): string {
  followed.set(kind, alsoFollows);
  return kind;
}

/** Marks queries that follow these topics as stale, or all (null); those on the screen are refetched at once. */
export async function refresh(client: QueryClient, topics: readonly string[] | null): Promise<void> {
  const follows = (kind: string) => {
    if (!topics) return true;
    const others = followed.get(kind) ?? [];
    return others === 'all' || topics.some((topic) => topic === kind || others.includes(topic));
  };
  await client.invalidateQueries({ predicate: ({ queryKey }) => follows(String(queryKey[0])) });
}
