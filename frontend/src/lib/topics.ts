import type { QueryClient } from '@tanstack/react-query';

/** Which topics beside its own a kind of read follows, by the first word of its query key. Filled by the features. */
const followed = new Map<string, readonly string[] | 'all'>();

/**
 * Declares a kind of read: the first word of its query keys, which is also the topic that it follows, and the other topics whose
 * changes it shows. Answers that word.
 */
export function reads(kind: string, alsoFollows: readonly string[] | 'all'): string {
  followed.set(kind, alsoFollows);
  return kind;
}

/** Marks as stale what follows these topics; what is on the screen is read again at once. */
export async function refresh(client: QueryClient, topics: readonly string[]): Promise<void> {
  const follows = (kind: string) => {
    const others = followed.get(kind) ?? [];
    return others === 'all' || topics.some((topic) => topic === kind || others.includes(topic));
  };
  await client.invalidateQueries({ predicate: ({ queryKey }) => follows(String(queryKey[0])) });
}
