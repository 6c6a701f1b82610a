import { useState } from 'react';

/**
 * Whether what was waited for has come once. From then on it stays shown: a section whose read failed reads again as it
 * appears, which would take it away and show it again for ever.
 */
export function useBegun(waits: boolean): boolean {
  const [begun, setBegun] = useState(!waits);
  if (!waits && !begun) setBegun(true);
  return begun;
}
