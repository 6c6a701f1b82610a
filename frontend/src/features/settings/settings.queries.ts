import { useAnswer } from '../../lib/answer.js';
import { useSend } from '../../lib/command.js';

export function useSettings() {
  return useAnswer(['settings'], 'GET /settings');
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
