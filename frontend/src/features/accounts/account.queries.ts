import type { User } from '@supabase/auth-js';
import { useQuery } from '@tanstack/react-query';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';

export const accountTopics = ['account'];

export function useProfile() {
  return useQuery({
    queryKey: ['account', 'profile'],
    queryFn: ({ signal }) => read('GET /account/profile', { signal }),
  });
}

export function useChangeProfile() {
  return useSend('PUT /account/profile');
}

/** The signed-in user, with identities and factors, from the auth service. */
export function useUser() {
  return useQuery({
    queryKey: ['account', 'user'],
    queryFn: async (): Promise<User> => (await answered((await auth()).getUser())).user,
  });
}
