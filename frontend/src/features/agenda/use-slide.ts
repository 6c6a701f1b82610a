import { useLayoutEffect, useRef } from 'react';
import type { Day } from '../../lib/dates.js';
import type { Place } from './place.js';

const SLIDE_MS = 160;

/** Slides another day or week in from the side where it lies, unless less motion is wanted. Returns the ref of what slides. */
export function useSlide({ mode, day }: Place, isOn: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<{ mode: string; day: Day }>({ mode, day });
  useLayoutEffect(() => {
    const from = before.current;
    before.current = { mode, day };
    if (!isOn || from.mode !== mode || from.day === day) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    content.current?.animate(
      [{ transform: `translateX(${day > from.day ? '' : '-'}100%)` }, { transform: 'none' }],
      { duration: SLIDE_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    );
  }, [mode, day, isOn]);
  return content;
}
