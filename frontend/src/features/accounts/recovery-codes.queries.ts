import { useQuery } from '@tanstack/react-query';
import { recoveryCodes } from '../../lib/recovery-codes.js';
import { accountProblem } from './refusals.js';

/** How many are left. */
export function useRecoveryCodes() {
  return useQuery({
    queryKey: ['account', 'recovery-codes'],
    queryFn: async () => (await recoveryCodes<{ remaining: number }>('GET', accountProblem)).remaining,
  });
}

/** New ones in the place of all before; only this answer shows them. */
export const newRecoveryCodes = async (): Promise<string[]> =>
  (await recoveryCodes<{ codes: string[] }>('POST', accountProblem)).codes;
