import {
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/*
 * Long lists (`ui/long-list.tsx`) render the rows near the window, the focused row, and empty space for the others; each row has
 * its position in the whole list. Actions on many students are sent in portions of a hundred, each with its own Idempotency-Key,
 * and are undone for those that they changed.
 */

/** Lists up to this length are rendered completely. */
const WHOLE = 100;
/** Rows beyond the window's edges on each side. */
const BEYOND = 16;
/** The range changes in steps, not with each row. */
const STEP = 8;
/** Height in pixels until the first row is measured. */
const ROW_PX = 64;
/**
 * The most by which heights of rows differ because of their content, in pixels; a larger difference is due to another
 * width or text size.
 */
const SAME_PX = 8;

/** Position of a row for screen readers, because the list contains only some of its rows. */
export interface RowPlace {
  'aria-posinset': number;
  'aria-setsize': number;
}

interface LongListProps<Item> {
  items: readonly Item[];
  /** Length of the whole list, if not all of it is loaded. */
  total?: number | undefined;
  className?: string | undefined;
  /** A row, which is a `li` of about the height of the others. */
  children: (item: Item, place: RowPlace) => ReactNode;
}

/**
 * A list that renders only the rows around the window once it is long. The row that has the focus, or had it last,
 * stays; the others leave space of their height, so that the page scrolls as if all were rendered.
 */
export function LongList<Item>({ items, total = items.length, className, children }: LongListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [measured, setMeasured] = useState<number | null>(null);
  const rowPx = measured ?? ROW_PX;
  const [from, setFrom] = useState(0);
  const [count, setCount] = useState(WHOLE);
  const [focused, setFocused] = useState(-1);
  // All rows need it, so it is a transition: taps meanwhile are handled first.
  const setSize = useDeferredValue(total);
  const isLong = items.length > WHOLE;

  const look = () => {
    if (!list.current || !isLong) return;
    const heights = [...list.current.querySelectorAll<HTMLElement>(':scope > [aria-posinset]')]
      .map(({ offsetHeight }) => offsetHeight)
      .sort((one, other) => one - other);
    const median = heights[heights.length >> 1] || ROW_PX;
    // One pixel more for each of a thousand rows above the window would move the content of the window.
    const height = measured !== null && Math.abs(median - measured) < SAME_PX ? measured : median;
    const above = -list.current.getBoundingClientRect().top / height;
    setMeasured(height);
    setFrom(Math.max(0, Math.floor((above - BEYOND) / STEP) * STEP));
    setCount(Math.ceil((window.innerHeight / height + 2 * BEYOND) / STEP + 1) * STEP);
  };
  // Also if the page begins further down, after "back".
  useLayoutEffect(look, [isLong, items, measured]);
  const onMove = useEffectEvent(look);
  useEffect(() => {
    const move = () => onMove();
    for (const event of ['scroll', 'resize']) window.addEventListener(event, move, { passive: true });
    return () => {
      for (const event of ['scroll', 'resize']) window.removeEventListener(event, move);
    };
  }, []);

  const isShown = (at: number) => !isLong || at === focused || (at >= from && at < from + count);
  const rows: ReactNode[] = [];
  let left = 0;
  const leaveRoom = (at: number) => {
    if (left > 0) rows.push(<li key={`room-${at}`} aria-hidden style={{ height: left * rowPx }} />);
    left = 0;
  };
  for (const [at, item] of items.entries()) {
    if (!isShown(at)) left += 1;
    else {
      leaveRoom(at);
      rows.push(children(item, { 'aria-posinset': at + 1, 'aria-setsize': setSize }));
    }
  }
  leaveRoom(items.length);
  return (
    <ul
      ref={list}
      className={className}
      onFocus={({ target }) => {
        const place = target.closest('[aria-posinset]')?.getAttribute('aria-posinset');
        if (place) setFocused(Number(place) - 1);
      }}
    >
      {rows}
    </ul>
  );
}
