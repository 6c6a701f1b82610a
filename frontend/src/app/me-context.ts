import { createContext, useContext } from 'react';
import type { Me } from '../../../backend/modules/accounts/accounts.api.js';

export const MeContext = createContext<Me | null>(null);

/** The signed-in person; only behind the guard. */
export function useSignedIn(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('There is nobody signed in here');
  return me;
}
