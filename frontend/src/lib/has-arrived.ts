import { useState } from 'react';

/**
 * Whether the data has been loaded once. It stays true from then on: a section whose query failed refetches when it is
 * mounted, so hiding it meanwhile would repeat that endlessly.
 */
export function useHasArrived(isLoading: boolean): boolean {
  const [hasArrived, setHasArrived] = useState(!isLoading);
  if (!isLoading && !hasArrived) setHasArrived(true);
  return hasArrived;
}
