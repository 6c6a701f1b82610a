import type { User } from '@supabase/auth-js';
import { useQuery } from '@tanstack/react-query';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';

export const accountTopics = ['account'];

/** The signed-in user, with identities and factors, from the auth service. */
export function useUser() {
  return useQuery({
    queryKey: ['account', 'user'],
    queryFn: async (): Promise<User> => (await answered((await auth()).getUser())).user,
  });
}
