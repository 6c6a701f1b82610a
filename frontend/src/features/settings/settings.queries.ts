import { useQuery } from '@tanstack/react-query';
import type {
  OnboardingData,
  SettingsChange,
  ShownSettings,
  ZoneChange,
} from '../../../../backend/modules/settings/settings.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';

const topics = ['settings'];

export function useSettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => http.get<ShownSettings>('/settings', undefined, signal),
  });
}

export function useChangeSettings() {
  return useCommand({
    send: (body: SettingsChange, key) => http.put<void>('/settings', key, body),
    topics,
  });
}

export function useChangeZone() {
  return useCommand({
    send: (body: ZoneChange, key) => http.put<void>('/settings/timezone', key, body),
    topics,
  });
}

export function useCompleteOnboarding() {
  return useCommand({
    send: (body: OnboardingData, key) => http.post<void>('/onboarding', key, body),
    topics,
  });
}
