import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  LocationChanges,
  LocationPage,
  NewLocation,
} from '../../../../backend/modules/locations/locations.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { kept } from '../../lib/kept.js';
import { usePaged } from '../../lib/paged.js';

const topics = ['locations'];

export function useLocations(active: boolean) {
  const situacao = active ? 'ativos' : 'inativos';
  return usePaged(['locations', 'list', { situacao }], (cursor, signal) =>
    http.get<LocationPage>('/locations', { cursor, situacao }, signal),
  );
}

/** The locations to choose from: as many as one page holds. Their names are there without a network too. */
export const locationChoices = queryOptions({
  queryKey: ['locations', 'choices'],
  queryFn: ({ signal }) => http.get<LocationPage>('/locations', { limit: 100 }, signal),
  persister: kept<LocationPage>({ without: ['cep', 'endereco'] }),
});

export const useLocationChoices = () => useQuery(locationChoices);

/** Names of locations that can be chosen. */
export function useLocationName() {
  const client = useQueryClient();
  return (id: string): string | null => {
    const choices = client.getQueryData<LocationPage>(locationChoices.queryKey);
    return choices?.items.find((each) => each.id === id)?.nome ?? null;
  };
}

export function useCreateLocation() {
  return useCommand({
    send: (body: NewLocation, key) => http.post<{ id: string }>('/locations', key, body),
    topics,
  });
}

export function useChangeLocation(id: string) {
  return useCommand({
    send: (body: LocationChanges, key) => http.patch<{ id: string }>(`/locations/${id}`, key, body),
    topics,
  });
}

/** Removes a location, or brings back a removed one. */
export function useRemoveLocation(id: string) {
  return useCommand({
    send: (to: 'delete' | 'restore', key) =>
      to === 'delete'
        ? http.delete<{ id: string }>(`/locations/${id}`, key)
        : http.post<{ id: string }>(`/locations/${id}/restore`, key),
    topics,
  });
}
