import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';

interface Page<Item> {
  items: Item[];
  next: string | null;
}

/**
 * A list that the API gives page by page. `read` fetches the page behind a cursor; the first one has none. `shown` answers an
 * item as the page shows it, and is the same function until that changes.
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
