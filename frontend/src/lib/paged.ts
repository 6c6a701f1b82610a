import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';

interface Page {
  next: string | null;
}

/** A list that the API gives page by page. `read` fetches the page behind a cursor; the first one has none. */
export function usePaged<Answer extends Page>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer>,
): UseInfiniteQueryResult<InfiniteData<Answer>> {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous) => previous,
  });
}
