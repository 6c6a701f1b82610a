import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { Guard } from '../../platform/event-store/guard.js';
import type { SessionEvent } from '../agenda/session.js';

type LinkingEvent = Extract<SessionEvent['type'], 'SessionBooked' | 'SessionChanged'>;

/** Locations of sessions. */
export const locationLinks: Guard = {
  name: 'location-links',
  tables: ['location_links'],
  events: ['SessionBooked', 'SessionChanged'] satisfies LinkingEvent[],
  statements({ tenantId, type, data }) {
    switch (type as LinkingEvent) {
      case 'SessionBooked':
      case 'SessionChanged':
        if (typeof data.location_id !== 'string') return [];
        return [
          {
            text: 'insert into location_links (tenant_id, location_id) values ($1, $2) on conflict do nothing',
            values: [tenantId, data.location_id],
          },
        ];
    }
  },
  violations: {},
};

const locationLinksOf = defineLookUp<Record<string, never>, [locationId: string]>(
  'select from location_links where tenant_id = $1 and location_id = $2',
);

export async function isLocationInUse(tx: CommandTransaction, locationId: string): Promise<boolean> {
  return (await tx.lookUp(locationLinksOf, locationId)).length > 0;
}
