import type { User } from '@supabase/auth-js';
import { useQuery } from '@tanstack/react-query';
import type { Profile, ProfileChange } from '../../../../backend/modules/accounts/profile.api.js';
import { auth } from '../../lib/auth.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { answered } from '../../lib/auth-refusals.js';

export const accountTopics = ['account'];

export function useProfile() {
  return useQuery({
    queryKey: ['account', 'profile'],
    queryFn: ({ signal }) => http.get<Profile>('/account/profile', undefined, signal),
  });
}

export function useChangeProfile() {
  return useCommand({
    send: (body: ProfileChange, key) => http.put<void>('/account/profile', key, body),
    topics: accountTopics,
  });
}

/** The signed-in user, with identities and factors, from the auth service. */
export function useUser() {
  return useQuery({
    queryKey: ['account', 'user'],
    queryFn: async (): Promise<User> => (await answered((await auth()).getUser())).user,
  });
}
