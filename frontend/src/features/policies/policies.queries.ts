import type { PolicyPage, PolicyTerms } from '../../../../backend/modules/policies/policies.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const POLICIES = reads('policies', ['locations']);

export function usePolicies() {
  return usePaged([POLICIES, 'list'], (cursor, signal) =>
    http.get<PolicyPage>('/policies', { cursor }, signal),
  );
}

export function useSetPolicy(locationId: string) {
  return useCommand({
    send: (terms: PolicyTerms, key) =>
      http.put<{ id: string }>(`/locations/${locationId}/policy`, key, terms),
    topics: ['policies'],
  });
}
