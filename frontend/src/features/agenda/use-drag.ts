import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react';
import type { Day } from '../../lib/dates.js';
import { endedAt, minuteAt, movedTo, type Band, type Stretch } from './grid-layout.js';

/** A session as the hand holds it. */
export interface Held extends Stretch {
  id: string;
  day: Day;
}

interface DragOptions {
  days: readonly Day[];
  bands: readonly Band[];
  /** Where a session is that can be dragged; undefined for others. */
  find: (id: string) => Held | undefined;
  onDrop: (held: Held) => void;
}

/** What a hand went down on, and since it moved far enough what it holds. */
interface Grip {
  from: Held;
  resizes: boolean;
  x: number;
  y: number;
  /** Between the session's start and the hand, in minutes. */
  offset: number;
  moved: boolean;
}

/** Less than that is a click, in pixels. */
const FAR_ENOUGH_PX = 5;

/**
 * Dragging sessions in a grid of `[data-column]` by mouse or pen; a finger scrolls. Sessions are marked by `data-session`, what
 * changes their end by `data-edge`. Escape takes the drag back.
 */
export function useDrag({ days, bands, find, onDrop }: DragOptions) {
  const [held, setHeld] = useState<Held | null>(null);
  const grip = useRef<Grip | null>(null);
  /** The click that ends a drag opens nothing. */
  const dropped = useRef(false);

  const stop = () => {
    grip.current = null;
    setHeld(null);
  };

  const isHeld = held !== null;
  useEffect(() => {
    if (!isHeld) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      stop();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [isHeld]);

  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const columns = [...currentTarget.querySelectorAll('[data-column]')].map((column) =>
      column.getBoundingClientRect(),
    );
    const over = columns.findIndex(({ right }) => clientX < right);
    const minute = minuteAt(clientY - (columns[0]?.top ?? 0), bands);
    return { day: days[over === -1 ? days.length - 1 : over] ?? '', minute };
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    dropped.current = false;
    if (event.button !== 0 || event.pointerType === 'touch' || !(event.target instanceof Element)) return;
    const id = event.target.closest<HTMLElement>('[data-session]')?.dataset.session;
    const from = id === undefined ? undefined : find(id);
    if (!from) return;
    const resizes = event.target.closest('[data-edge]') !== null;
    const offset = placeOf(event).minute - from.start;
    grip.current = { from, resizes, x: event.clientX, y: event.clientY, offset, moved: false };
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { current } = grip;
    if (!current) return;
    if (!current.moved) {
      if (Math.hypot(event.clientX - current.x, event.clientY - current.y) < FAR_ENOUGH_PX) return;
      current.moved = true;
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    const { from, resizes, offset } = current;
    const { day, minute } = placeOf(event);
    const next: Held = resizes
      ? { ...from, ...endedAt(from, minute) }
      : { ...from, ...movedTo(from, minute - offset), day };
    setHeld((before) =>
      before && before.day === next.day && before.start === next.start && before.end === next.end
        ? before
        : next,
    );
  };

  const onPointerUp = () => {
    const { current } = grip;
    dropped.current = current?.moved ?? dropped.current;
    stop();
    if (!current || !held) return;
    const { day, start, end } = current.from;
    if (day !== held.day || start !== held.start || end !== held.end) onDrop(held);
  };

  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    if (!dropped.current) return;
    dropped.current = false;
    event.stopPropagation();
  };

  return {
    held,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: stop, onClickCapture },
  };
}
