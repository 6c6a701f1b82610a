import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';

const topics = ['settings'];

export function useSettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => read('GET /settings', { signal }),
  });
}

export function useChangeSettings() {
  return useSend('PUT /settings', topics);
}

export function useChangeZone() {
  return useSend('PUT /settings/timezone', topics);
}

export function useCompleteOnboarding() {
  return useSend('POST /onboarding', topics);
}
