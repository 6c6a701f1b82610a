import { queryOptions, useQuery } from '@tanstack/react-query';
import type { OwnCharges } from '../../../../backend/modules/charges/charges.api.js';
import { areaLink } from '../../lib/area-link.js';
import { read } from '../../lib/calls.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { reads } from '../../lib/topics.js';

/** `settings`: the Pix codes contain the trainer's key; `payers`: whoever pays for several pays all at once. */
const OWN_CHARGES = reads('own-charges', ['charges', 'settings', 'payers']);

const ownCharges = queryOptions({
  queryKey: [OWN_CHARGES],
  persister: cachedOffline<OwnCharges>(),
  queryFn: ({ signal }) => read('GET /student/charges', { signal }),
});

/** The student's open charges; offline from the cache. */
export const useOwnCharges = () => useQuery(ownCharges);

const LOOK_AGAIN_MS = 2000;

/** Looks for the payment that the student makes meanwhile. Behind a link no hint tells of it. */
export const useWatchedCharges = () =>
  useQuery({ ...ownCharges, refetchInterval: areaLink() === null ? false : LOOK_AGAIN_MS });
