import { useState } from 'react';

/**
 * Whether the data has been loaded once. It stays true from then on: a section whose query failed refetches when it is
 * mounted, so hiding it meanwhile would repeat that endlessly.
 */
export function useHasLoaded(isLoading: boolean): boolean {
  const [hasLoaded, setHasLoaded] = useState(!isLoading);
  if (!isLoading && !hasLoaded) setHasLoaded(true);
  return hasLoaded;
}
