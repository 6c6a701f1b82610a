import { useLayoutEffect, useRef, type RefObject } from 'react';

const SHORT_PX = 72;

/** At the top of the page, or wherever it is in sight; false: the page is not scrolled. */
export type Opens = 'start' | 'nearest' | false;

/**
 * Scrolls the page to the element marked by `data-opens` within `area`, or to its top if there is none: for each `day`, and again
 * when its content changes, such as from a stored copy to what the server has, until the user scrolls.
 */
export function useOpensAt(
  area: RefObject<HTMLElement | null>,
  opens: Opens,
  day: string | undefined,
  content: unknown,
) {
  const put = useRef<{ day: string; y: number } | null>(null);
  useLayoutEffect(() => {
    if (opens === false || day === undefined) return;
    const { current } = put;
    if (current?.day === day && Math.abs(current.y - window.scrollY) > 1) return;
    const mark = area.current?.querySelector('[data-opens]');
    if (mark) mark.scrollIntoView({ block: opens });
    // A short way would only hide a part of what stands above.
    if (!mark || window.scrollY < SHORT_PX) window.scrollTo(0, 0);
    put.current = { day, y: window.scrollY };
  }, [area, opens, day, content]);
}
