import type { Query, QueryClient } from '@tanstack/react-query';

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

/**
 * Marks queries that follow these topics as stale, or all (null); those on the screen are refetched at once. Ends when they
 * are read, also those that were opened meanwhile.
 */
export async function refresh(client: QueryClient, topics: readonly string[] | null): Promise<void> {
  const follows = (kind: string) => {
    if (!topics) return true;
    const others = followed.get(kind) ?? [];
    return others === 'all' || topics.some((topic) => topic === kind || others.includes(topic));
  };
  const predicate = ({ queryKey }: Query) => follows(String(queryKey[0]));
  await client.invalidateQueries({ predicate });
  const reading = (query: Query) => predicate(query) && query.state.fetchStatus === 'fetching';
  await client.refetchQueries({ predicate: reading }, { cancelRefetch: false });
}
