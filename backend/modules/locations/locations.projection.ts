import { searchable } from '../../platform/searchable.api.js';
import { rowProjection } from '../../platform/projections/projection.js';
import { type ExistingLocation, location, type LocationEvent, type LocationState } from './location.js';

type LocationRow = ExistingLocation & { busca: string; criado_em: string };

/** Folded state of each location; removed locations keep their row, so that they can be restored. */
export const locations = rowProjection<LocationRow>({
  name: 'locations',
  version: 3,
  topic: 'locations',
  table: 'locations',
  students: 'all',
  events: [
    'LocationAdded',
    'LocationUpdated',
    'LocationDeactivated',
    'LocationReactivated',
    'LocationRemoved',
    'LocationRestored',
    'LocationWaySet',
  ] satisfies LocationEvent['type'][],
  keys: ({ data }) => [data.location_id as string],
  evolve(row, { type, data, recordedAt }) {
    const before: LocationState = row ?? location.initialState;
    const after = location.evolve(before, { type, data } as LocationEvent);
    if (after.status === 'unknown') return null;
    return {
      ...after,
      busca: searchable(after.nome ?? ''),
      criado_em: row?.criado_em ?? recordedAt.toISOString(),
    };
  },
});
