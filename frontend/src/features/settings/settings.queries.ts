import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';

export function useSettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => read('GET /settings', { signal }),
  });
}

export function useChangeSettings() {
  return useSend('PUT /settings');
}

export function useChangeZone() {
  return useSend('PUT /settings/timezone');
}

export function useCompleteOnboarding() {
  return useSend('POST /onboarding');
}
