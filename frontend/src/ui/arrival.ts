import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

let shownPath: string | null = null;

/**
 * After a navigation, focuses the page's title (screen readers follow it), scrolls to the top and sets the window's
 * title. Does nothing for the first page, and keeps the scroll position on "back". Returns the ref of the title.
 */
export function useArrival(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  const way = useNavigationType();

  useEffect(() => {
    document.title = `${title} · Rende`;
  }, [title]);

  useEffect(() => {
    const isArrival = shownPath !== null && shownPath !== pathname;
    shownPath = pathname;
    if (!isArrival) return;
    // A page with such a mark has scrolled to it.
    if (way !== NavigationType.Pop && !document.querySelector('[data-opens]')) window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [pathname, way]);

  return heading;
}
