import { useComputedColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { pageColors } from './theme.js';

/** The browser's own bar has the page's colour, whichever theme was chosen here and whatever the system has. */
export function BrowserBar() {
  const scheme = useComputedColorScheme('dark');
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', pageColors[scheme]);
  }, [scheme]);
  return null;
}
