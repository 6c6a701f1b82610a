import { useState } from 'react';

/**
 * Whether the data has arrived once. It stays true from then on: a section whose query failed refetches when it appears, and
 * hiding it meanwhile would repeat that for ever.
 */
export function useHasArrived(isLoading: boolean): boolean {
  const [hasArrived, setHasArrived] = useState(!isLoading);
  if (!isLoading && !hasArrived) setHasArrived(true);
  return hasArrived;
}
