import { Button } from '@mantine/core';
import { useDeferredValue, useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { Async, Skeletons } from './states.js';

interface Page<Item> {
  items: readonly Item[];
}

export interface PagedQuery<Item> {
  data: { pages: readonly Page<Item>[] } | undefined;
  error: unknown;
  isPending: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  isPlaceholderData?: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

interface InfiniteListProps<Item> {
  of: PagedQuery<Item>;
  skeleton?: ReactNode;
  /** Title of the error where nothing could be loaded. */
  failure?: string;
  /** Loads the next page only on a tap: for a list with content below it. */
  manual?: boolean;
  /** Shown in place of an empty list. */
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}

/** A list that loads its next page when its end comes into view; a button does the same for keyboard users. */
export function InfiniteList<Item>({
  of,
  skeleton = <Skeletons />,
  failure,
  manual = false,
  empty,
  children,
}: InfiniteListProps<Item>) {
  return (
    <Async of={of} skeleton={skeleton} failure={failure}>
      {({ pages }) => (
        <>
          <Items pages={pages} empty={empty}>
            {children}
          </Items>
          {of.hasNextPage && (
            <More busy={of.isFetchingNextPage} manual={manual} onMore={() => void of.fetchNextPage()} />
          )}
        </>
      )}
    </Async>
  );
}

interface ItemsProps<Item> extends Pick<InfiniteListProps<Item>, 'empty' | 'children'> {
  pages: readonly Page<Item>[];
}

/** Renders changes of a list as a transition, so that taps and keys are handled meanwhile. */
function Items<Item>({ pages, empty, children }: ItemsProps<Item>) {
  const items = useDeferredValue(pages).flatMap((page) => page.items);
  return items.length === 0 ? empty : children(items);
}

function More({ busy, manual, onMore }: { busy: boolean; manual: boolean; onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const more = useEffectEvent(onMore);

  useEffect(() => {
    if (!button.current || busy || manual) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more();
      },
      { rootMargin: '400px' },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [busy, manual]);

  return (
    <Button ref={button} variant="subtle" fullWidth loading={busy} onClick={onMore}>
      {manual ? 'Mostrar mais' : 'Carregar mais'}
    </Button>
  );
}
