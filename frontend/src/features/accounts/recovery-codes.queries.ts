import { useQuery } from '@tanstack/react-query';
import { askAuth } from '../../lib/auth-http.js';

/** How many are left. */
export function useRecoveryCodes() {
  return useQuery({
    queryKey: ['account', 'recovery-codes'],
    queryFn: async () => (await askAuth<{ remaining: number }>('GET', 'recovery-codes')).remaining,
  });
}

/** New ones in the place of all before; only this answer shows them. */
export const newRecoveryCodes = async (): Promise<string[]> =>
  (await askAuth<{ codes: string[] }>('POST', 'recovery-codes')).codes;
