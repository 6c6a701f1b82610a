import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';

interface Page<Item> {
  items: Item[];
  next: string | null;
}

/**
 * A list that is read in pages. `read` fetches the page after a cursor; the first page has none. `shown` converts an
 * item for display, and must be the same function as long as its result is the same.
 */
export function usePaged<Item, Answer extends Page<Item>>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer>,
  shown?: (item: Item) => Item,
): UseInfiniteQueryResult<InfiniteData<Answer>> {
  const select = useCallback(
    (data: InfiniteData<Answer>) =>
      shown
        ? { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(shown) })) }
        : data,
    [shown],
  );
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous) => previous,
    select,
  });
}
