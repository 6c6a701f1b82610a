import { useComputedColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { pageColors } from './theme.js';

/** Gives the browser's own bar the page's colour, whichever theme is chosen here and in the system. */
export function BrowserBar() {
  const scheme = useComputedColorScheme('dark');
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', pageColors[scheme]);
  }, [scheme]);
  return null;
}
