import { useQuery } from '@tanstack/react-query';
import { askAuth } from '../../lib/auth-http.js';

/** Number of unused recovery codes. */
export function useRecoveryCodes() {
  return useQuery({
    queryKey: ['account', 'recovery-codes'],
    queryFn: async () => (await askAuth<{ remaining: number }>('GET', 'recovery-codes')).remaining,
  });
}

/** Replaces all recovery codes; only this answer contains the new ones. */
export const newRecoveryCodes = async (): Promise<string[]> =>
  (await askAuth<{ codes: string[] }>('POST', 'recovery-codes')).codes;
