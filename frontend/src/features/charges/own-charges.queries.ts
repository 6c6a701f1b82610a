import { useQuery } from '@tanstack/react-query';
import type { OwnCharges } from '../../../../backend/modules/charges/charges.api.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { reads } from '../../lib/topics.js';

/** `settings`: the Pix codes contain the trainer's key. */
const OWN_CHARGES = reads('own-charges', ['charges', 'settings']);

/** The student's open charges; offline from the cache. */
export const useOwnCharges = () =>
  useQuery({
    queryKey: [OWN_CHARGES],
    persister: cachedOffline<OwnCharges>(),
    queryFn: ({ signal }) => read('GET /student/charges', { signal }),
  });

/** Tells the trainer that a charge was paid. */
export const useClaimPayment = (id: string) => useSend('POST /student/charges/:id/claim', id);
