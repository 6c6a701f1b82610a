import { useQuery } from '@tanstack/react-query';
import type { OwnContracts } from '../../../../backend/modules/contracts/contracts.api.js';
import { read } from '../../lib/calls.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { CONTRACTS } from './contract-reads.js';

/** Contracts that the signed-in student has to sign or has signed. */
export const useOwnContracts = () =>
  useQuery({
    queryKey: [CONTRACTS, 'own'],
    persister: cachedOffline<OwnContracts>(),
    queryFn: ({ signal }) => read('GET /student/signature-requests', { signal }),
  });
