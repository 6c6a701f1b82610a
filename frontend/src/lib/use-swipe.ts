import { useLayoutEffect, useRef, type TouchEvent as ReactTouchEvent } from 'react';

/** Shortest swipe in pixels; a shorter movement is a tap. */
const FAR_ENOUGH_PX = 56;
/** Minimum ratio of horizontal to vertical movement; anything below it scrolls. */
const SIDEWAYS = 2;

/**
 * Swiping horizontally with one finger: 1 to the next, -1 to the previous. While an element is held (`data-held`), the finger
 * drags it instead.
 */
export function useSwipe(onSwipe: (direction: 1 | -1) => void) {
  const latest = useRef(onSwipe);
  useLayoutEffect(() => {
    latest.current = onSwipe;
  });
  const start = useRef<{ x: number; y: number } | null>(null);
  const end = ({ changedTouches }: TouchEvent) => {
    const { current } = start;
    const touch = changedTouches[0];
    start.current = null;
    if (!current || !touch) return;
    const [x, y] = [touch.clientX - current.x, touch.clientY - current.y];
    if (Math.abs(x) >= FAR_ENOUGH_PX && Math.abs(x) >= SIDEWAYS * Math.abs(y)) latest.current(x < 0 ? 1 : -1);
  };
  return {
    onTouchMove: () => {
      // Asked while it moves: a held element is let go before the touch ends.
      if (start.current && document.querySelector('[data-held]')) start.current = null;
    },
    onTouchStart: ({ touches, target }: ReactTouchEvent) => {
      const touch = touches[0];
      start.current = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
      // The touched element gets the end of the touch even if React has replaced it meanwhile; its parents do not.
      if (target instanceof HTMLElement || target instanceof SVGElement)
        target.addEventListener('touchend', end as EventListener, { once: true });
    },
  };
}
