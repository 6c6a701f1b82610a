import { stateProjection } from '../../platform/projections/projection.js';
import { availability as aggregate, type AvailabilityState } from './availability.js';

/** A tenant's week and exceptions, under the tenant's id; no row before the first save. */
export const availability = stateProjection(aggregate, {
  name: 'availability',
  topic: 'availability',
  table: 'availability',
  students: 'all',
  evolve: (row: AvailabilityState | undefined, event) =>
    aggregate.evolve(row ?? aggregate.initialState, event),
});
