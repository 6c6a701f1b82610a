import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';

interface ReorderOptions {
  ids: readonly string[];
  /** Puts an item at an index among all. */
  onPut: (id: string, index: number) => void;
}

/** What the hand went down on. */
interface Grip {
  id: string;
  x: number;
  y: number;
  /** Of a finger: it scrolls unless it rests first. */
  timer: ReturnType<typeof setTimeout> | null;
}

/** Less than that is a click, or a finger that rests; in pixels. */
const FAR_ENOUGH_PX = 5;
const SCROLLS_PX = 10;
const LONG_PRESS_MS = 400;

/**
 * Order by hand for a list of `[data-item]`: dragging by mouse or pen, and by a finger after a long press; Alt with an arrow
 * moves the item that has the focus. Escape takes a drag back.
 */
export function useReorder({ ids, onPut }: ReorderOptions) {
  const [held, setHeld] = useState<{ id: string; index: number } | null>(null);
  const grip = useRef<Grip | null>(null);
  /** Suppresses the click that follows a drag. */
  const dropped = useRef(false);

  const stop = () => {
    if (grip.current?.timer) clearTimeout(grip.current.timer);
    grip.current = null;
    setHeld(null);
  };

  const isHeld = held !== null;
  useEffect(() => {
    if (!isHeld) return undefined;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      stop();
    };
    // While something is held the finger moves it, and not the page.
    const onTouch = (event: TouchEvent) => event.preventDefault();
    document.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('touchmove', onTouch, { passive: false });
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('touchmove', onTouch);
    };
  }, [isHeld]);

  const take = (id: string, list: HTMLElement, pointer: number) => {
    list.setPointerCapture(pointer);
    setHeld({ id, index: ids.indexOf(id) });
  };

  const onPointerDown = ({
    button,
    target,
    clientX,
    clientY,
    pointerType,
    currentTarget,
    pointerId,
  }: PointerEvent<HTMLElement>) => {
    dropped.current = false;
    if (button !== 0 || !(target instanceof Element)) return;
    const id = target.closest<HTMLElement>('[data-item]')?.dataset.item;
    if (id === undefined) return;
    const isFinger = pointerType === 'touch';
    const timer = isFinger
      ? setTimeout(() => grip.current && take(id, currentTarget, pointerId), LONG_PRESS_MS)
      : null;
    grip.current = { id, x: clientX, y: clientY, timer };
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { current } = grip;
    if (!current) return;
    if (!held) {
      const distance = Math.hypot(event.clientX - current.x, event.clientY - current.y);
      if (current.timer) {
        if (distance > SCROLLS_PX) stop();
        return;
      }
      if (distance < FAR_ENOUGH_PX) return;
      take(current.id, event.currentTarget, event.pointerId);
      return;
    }
    const others = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')].filter(
      ({ dataset }) => dataset.item !== held.id,
    );
    const index = others.filter((other) => {
      const { top, height } = other.getBoundingClientRect();
      return event.clientY > top + height / 2;
    }).length;
    if (index !== held.index) setHeld({ id: held.id, index });
  };

  const onPointerUp = () => {
    const now = held;
    dropped.current = now !== null;
    stop();
    if (now && ids.indexOf(now.id) !== now.index) onPut(now.id, now.index);
  };

  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    if (!dropped.current) return;
    dropped.current = false;
    event.preventDefault();
    event.stopPropagation();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0 || !(event.target instanceof Element)) return;
    const id = event.target.closest<HTMLElement>('[data-item]')?.dataset.item;
    const index = ids.indexOf(id ?? '') + step;
    if (id === undefined || !ids.includes(id)) return;
    event.preventDefault();
    if (index >= 0 && index < ids.length) onPut(id, index);
  };

  const others = held ? ids.filter((id) => id !== held.id) : ids;
  return {
    heldId: held?.id ?? null,
    /** The order as it would be if the hand let go now. */
    order: held ? others.toSpliced(held.index, 0, held.id) : ids,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: stop,
      onClickCapture,
      onKeyDown,
      // A long press means this here.
      onContextMenu: (event: MouseEvent<HTMLElement>) => {
        if (grip.current?.timer) event.preventDefault();
      },
    },
  };
}
