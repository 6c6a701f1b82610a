import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LocationPage } from '../../../backend/modules/locations/locations.api.js';
import { read } from '../lib/calls.js';
import { cachedOffline } from '../lib/offline-cache.js';

/** The locations to choose from, in one page. Their names are in the offline copy. */
export const locationChoices = queryOptions({
  queryKey: ['locations', 'choices'],
  queryFn: ({ signal }) => read('GET /locations', { query: { limit: 100 }, signal }),
  persister: cachedOffline<LocationPage>(),
});

export const useLocationChoices = () => useQuery(locationChoices);

/** Names of active locations. */
export function useLocationName() {
  const client = useQueryClient();
  return (id: string): string | null => {
    const choices = client.getQueryData<LocationPage>(locationChoices.queryKey);
    return choices?.items.find((each) => each.id === id)?.nome ?? null;
  };
}
