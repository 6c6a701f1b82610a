import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  Location,
  LocationChanges,
  LocationPage,
  NewLocation,
} from '../../../../backend/modules/locations/locations.api.js';
import { read } from '../../lib/calls.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { records } from '../../lib/records.js';

export const locations = records<Location, NewLocation, LocationChanges>({
  ...{ topic: 'locations', address: '/locais', one: 'local', many: 'locais' },
  texts: {
    created: 'Local criado',
    updated: 'Local atualizado',
    removed: 'Local removido',
    notLoaded: 'Erro ao carregar locais',
  },
});

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
