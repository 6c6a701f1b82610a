import { stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import { type ExistingLocation, location, type LocationState } from './location.js';

type LocationRow = ExistingLocation & { busca: string; criado_em: string };

/** Folded state of each location; removed locations keep their row, so that they can be restored. */
export const locations = stateProjection(location, {
  name: 'locations',
  version: 3,
  topic: 'locations',
  table: 'locations',
  students: 'all',
  evolve(row: LocationRow | undefined, event) {
    const before: LocationState = row ?? location.initialState;
    const after = location.evolve(before, event);
    if (after.status === 'unknown') return null;
    return {
      ...after,
      busca: searchable(after.nome ?? ''),
      criado_em: row?.criado_em ?? event.recordedAt.toISOString(),
    };
  },
});
