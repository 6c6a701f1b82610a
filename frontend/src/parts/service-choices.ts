import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ServicePage } from '../../../backend/modules/services/services.api.js';
import { read } from '../lib/calls.js';
import { cachedOffline } from '../lib/offline-cache.js';

/** The services to choose from, in one page. Their names are in the offline copy. */
const serviceChoices = queryOptions({
  queryKey: ['services', 'choices'],
  queryFn: ({ signal }) => read('GET /services', { query: { situacao: 'ativos', limit: 100 }, signal }),
  persister: cachedOffline<ServicePage>(),
});

export const useServiceChoices = () => useQuery(serviceChoices);
