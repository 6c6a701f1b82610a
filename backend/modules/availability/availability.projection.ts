import { rowProjection } from '../../platform/projections/projection.js';
import { availability as aggregate, type AvailabilityEvent, type AvailabilityState } from './availability.js';

/** A tenant's week and exceptions, under the tenant's id; no row before the first save. */
export const availability = rowProjection<AvailabilityState>({
  name: 'availability',
  topic: 'availability',
  table: 'availability',
  students: 'all',
  events: ['AvailabilitySet', 'AvailabilityExceptionSet'] satisfies AvailabilityEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve: (row, { type, data }) =>
    aggregate.evolve(row ?? aggregate.initialState, { type, data } as unknown as AvailabilityEvent),
});
