import { rowProjection } from '../../platform/projections/projection.js';
import { type HolidayEvent, holidays as aggregate, type HolidayState } from './holiday-calendar.js';

/** A tenant's own holidays and switches, under the tenant's id; no row while everything has its default. */
export const holidays = rowProjection<HolidayState>({
  name: 'holidays',
  topic: 'availability',
  table: 'holidays',
  events: [
    'HolidayAdded',
    'HolidayRemoved',
    'HolidayRestored',
    'HolidaySwitched',
  ] satisfies HolidayEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve: (row, { type, data }) =>
    aggregate.evolve(row ?? aggregate.initialState, { type, data } as unknown as HolidayEvent),
});
