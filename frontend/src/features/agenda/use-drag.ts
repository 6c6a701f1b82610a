import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react';
import type { Day } from '../../lib/dates.js';
import { endedAt, minuteAt, movedTo, topOf, type Band, type Stretch } from './grid-layout.js';

/** A session while it is dragged. */
export interface Held extends Stretch {
  id: string;
  day: Day;
}

interface DragOptions {
  days: readonly Day[];
  bands: readonly Band[];
  /** Times of a session that can be dragged; undefined for others. */
  find: (id: string) => Held | undefined;
  onDrop: (held: Held) => void;
}

/** The pointer's target, and the dragged session once the pointer has moved far enough or was held long enough. */
interface Grip {
  from: Held;
  resizes: boolean;
  pointerId: number;
  isTouch: boolean;
  /** Position where the pointer went down. */
  x: number;
  y: number;
  /** Current position. */
  at: { x: number; y: number };
  /** Minutes from the session's start to the pointer. */
  offset: number;
  /** Distance from the pointer to the session in the grid, if it was taken from a list. */
  shift: { x: number; y: number } | null;
  taken: boolean;
}

/** Movement in pixels below which it is a click. */
const FAR_ENOUGH_PX = 5;
/** Movement of a finger in pixels, before the long press ends, from which it is scrolling. */
const RESTING_PX = 10;
/** Duration of a long press; shorter than until the browser opens its context menu. */
const LONG_PRESS_MS = 400;
/** Distance from the upper and lower edge of the window at which dragging scrolls it. */
const EDGE_PX = 96;
const SCROLL_PX = 8;
const SCROLL_MS = 16;

/**
 * Dragging sessions in a grid of `[data-column]`: by mouse or pen at once, by a finger after a long press. Sessions are marked by
 * `data-session`, handles for their end by `data-edge`. Sessions may also be in a list, which the grid replaces during a drag.
 * Escape cancels the drag.
 */
export function useDrag({ days, bands, find, onDrop }: DragOptions) {
  const root = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<Held | null>(null);
  const grip = useRef<Grip | null>(null);
  const pressing = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Suppresses the click that follows a drag. */
  const dropped = useRef(false);

  const stop = () => {
    clearTimeout(pressing.current);
    grip.current = null;
    setHeld(null);
  };

  const columns = () =>
    [...(root.current?.querySelectorAll('[data-column]') ?? [])].map((column) =>
      column.getBoundingClientRect(),
    );

  const placeAt = (x: number, y: number) => {
    const all = columns();
    const over = all.findIndex(({ right }) => x < right);
    const minute = minuteAt(y - (all[0]?.top ?? 0), bands);
    return { day: days[over === -1 ? days.length - 1 : over] ?? '', minute };
  };

  const take = (taken: Grip) => {
    taken.taken = true;
    root.current?.setPointerCapture(taken.pointerId);
    setHeld(taken.from);
  };

  const follow = ({ from, resizes, offset, shift, at }: Grip) => {
    const { day, minute } = placeAt(at.x + (shift?.x ?? 0), at.y + (shift?.y ?? 0));
    const next: Held = resizes
      ? { ...from, ...endedAt(from, minute) }
      : { ...from, ...movedTo(from, minute - offset), day };
    setHeld((before) =>
      before && before.day === next.day && before.start === next.start && before.end === next.end
        ? before
        : next,
    );
  };

  /** After the grid has replaced the list, scrolls so that the session is under the pointer. */
  const bringUnderHand = (taken: Grip) => {
    if (!taken.shift) return;
    const { from, resizes, x, y } = taken;
    const place = () => {
      const column = columns()[days.indexOf(from.day)];
      return (
        column && {
          x: (column.left + column.right) / 2,
          y: column.top + topOf(resizes ? from.end : from.start, bands),
        }
      );
    };
    const inGrid = place();
    if (!inGrid) return;
    window.scrollBy(0, inGrid.y - y);
    const scrolled = place() ?? inGrid;
    taken.shift = { x: scrolled.x - x, y: scrolled.y - y };
  };

  const latest = useRef({ follow, bringUnderHand });
  useLayoutEffect(() => {
    latest.current = { follow, bringUnderHand };
  });

  const isHeld = held !== null;
  useLayoutEffect(() => {
    if (isHeld && grip.current) latest.current.bringUnderHand(grip.current);
  }, [isHeld]);

  useEffect(() => {
    if (!isHeld) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      stop();
    };
    const scrolling = setInterval(() => {
      const { current } = grip;
      if (!current) return;
      const { y } = current.at;
      const by = y < EDGE_PX ? -SCROLL_PX : y > window.innerHeight - EDGE_PX ? SCROLL_PX : 0;
      if (by === 0 || !current.isTouch) return;
      window.scrollBy(0, by);
      latest.current.follow(current);
    }, SCROLL_MS);
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      clearInterval(scrolling);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [isHeld]);

  useEffect(() => {
    const element = root.current;
    // Prevents scrolling while dragging by touch; listeners of React are passive and could not.
    const onTouchMove = (event: TouchEvent) => {
      if (grip.current?.taken && event.cancelable) event.preventDefault();
    };
    element?.addEventListener('touchmove', onTouchMove, { passive: false });
    return () => {
      element?.removeEventListener('touchmove', onTouchMove);
      clearTimeout(pressing.current);
    };
  }, []);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    dropped.current = false;
    if (grip.current || event.button !== 0 || !(event.target instanceof Element)) return;
    const id = event.target.closest<HTMLElement>('[data-session]')?.dataset.session;
    const from = id === undefined ? undefined : find(id);
    if (!from) return;
    const { clientX: x, clientY: y, pointerId } = event;
    const isTouch = event.pointerType === 'touch';
    const resizes = event.target.closest('[data-edge]') !== null;
    const isInGrid = event.target.closest('[data-column]') !== null;
    const offset = isInGrid ? placeAt(x, y).minute - from.start : 0;
    const shift = isInGrid ? null : { x: 0, y: 0 };
    const taken = { from, resizes, pointerId, isTouch, x, y, at: { x, y }, offset, shift, taken: false };
    grip.current = taken;
    if (isTouch) pressing.current = setTimeout(() => take(taken), LONG_PRESS_MS);
  };

  const onPointerMove = ({ pointerId, clientX: x, clientY: y }: PointerEvent) => {
    const { current } = grip;
    if (current?.pointerId !== pointerId) return;
    current.at = { x, y };
    if (!current.taken) {
      const distance = Math.hypot(x - current.x, y - current.y);
      if (current.isTouch && distance > RESTING_PX) stop();
      if (current.isTouch || distance < FAR_ENOUGH_PX) return;
      take(current);
      // If the grid is not rendered yet, the drag continues with the next movement.
      if (current.shift) return;
    }
    follow(current);
  };

  const onPointerUp = ({ pointerId }: PointerEvent) => {
    const { current } = grip;
    if (current?.pointerId !== pointerId) return;
    dropped.current = current.taken;
    stop();
    if (!held) return;
    const { day, start, end } = current.from;
    if (day !== held.day || start !== held.start || end !== held.end) onDrop(held);
  };

  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    if (!dropped.current) return;
    dropped.current = false;
    event.stopPropagation();
  };

  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    if (grip.current?.isTouch) event.preventDefault();
  };

  return {
    held,
    props: {
      ref: root,
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: stop,
      onClickCapture,
      onContextMenu,
    },
  };
}
