import { stateProjection } from '../../platform/projections/projection.js';
import { holidays as aggregate, type HolidayState } from './holiday-calendar.js';

/** A tenant's own holidays and switches, under the tenant's id; no row while everything has its default. */
export const holidays = stateProjection(aggregate, {
  name: 'holidays',
  topic: 'availability',
  table: 'holidays',
  evolve: (row: HolidayState | undefined, event) => aggregate.evolve(row ?? aggregate.initialState, event),
});
