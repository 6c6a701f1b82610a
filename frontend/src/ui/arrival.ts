import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

let shownPath: string | null = null;

/**
 * Who goes to another page begins at its title: the focus goes there, and so does the reader of the screen; what is new is
 * shown from its top, and the window is called after it. The first page is left as the browser shows it, and "back" where
 * it was. Answers where the title is.
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
    if (way !== NavigationType.Pop) window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [pathname, way]);

  return heading;
}
