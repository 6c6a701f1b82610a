import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';

interface ReorderOptions {
  ids: readonly string[];
  /** Moves an item to an index of the list. */
  onPut: (id: string, index: number) => void;
}

/** The item on which the pointer went down. */
interface Grip {
  id: string;
  x: number;
  y: number;
  /** Touch: moving at once scrolls; dragging begins after a long press. */
  timer: ReturnType<typeof setTimeout> | null;
}

/** Movement in pixels below which it is a click or a long press. */
const FAR_ENOUGH_PX = 5;
const SCROLLS_PX = 10;
const LONG_PRESS_MS = 400;

/**
 * Reordering of a list of `[data-item]`: dragging by mouse or pen, or by touch after a long press; Alt with an arrow key
 * moves the focused item. Escape cancels a drag.
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
    // During a drag, touch moves must not scroll the page.
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
    /** The order that dropping the item now would give. */
    order: held ? others.toSpliced(held.index, 0, held.id) : ids,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: stop,
      onClickCapture,
      onKeyDown,
      // Prevents the browser's own context menu after a long press.
      onContextMenu: (event: MouseEvent<HTMLElement>) => {
        if (grip.current?.timer) event.preventDefault();
      },
    },
  };
}
