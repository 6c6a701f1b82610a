import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type {
  Policy,
  PolicyChange,
  PolicyPage,
  PolicyTerms,
} from '../../../../backend/modules/policies/policies.api.js';
import { read } from '../../lib/calls.js';
import { useEdit } from '../../lib/edits.js';
import { withEdits, type MaybePending } from '../../lib/pending-over-server.js';
import { usePaged } from '../../lib/paged.js';
import { useDoneHere } from '../../lib/pending.js';
import { reads } from '../../lib/topics.js';

const POLICIES = reads('policies', ['locations']);

const EFFECT = 'edit-policy';

/** A policy as its page shows it. */
export type ShownPolicy = Policy & MaybePending;

export function usePolicies() {
  const writes = useDoneHere();
  const shown = useCallback(
    (policy: ShownPolicy) => withEdits({ ...policy, id: policy.location_id }, writes, EFFECT),
    [writes],
  );
  return usePaged<ShownPolicy, PolicyPage & { items: ShownPolicy[] }>(
    [POLICIES, 'list'],
    (cursor, signal) => read('GET /policies', { query: { cursor }, signal }),
    shown,
  );
}

/** What past cancellations at the location would have cost under these terms; not requested while they are undefined. */
export function usePolicyPreview(locationId: string, terms: PolicyTerms | undefined) {
  const query = terms && {
    ...terms,
    location_id: locationId,
    queima_credito: terms.queima_credito ? ('sim' as const) : ('nao' as const),
  };
  return useQuery({
    queryKey: [POLICIES, 'preview', query],
    queryFn: ({ signal }) => read('GET /what-if/policy', { query, signal }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Sets the policy of a location, or puts the request into the outbox while offline. */
export function useSetPolicy({ location_id, location_nome }: Policy) {
  return useEdit<PolicyChange>({
    method: 'PUT',
    path: `/locations/${location_id}/policy`,
    subject: location_id,
    effect: EFFECT,
    title: `A política de ${location_nome}`,
  });
}
