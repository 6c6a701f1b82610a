import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { location } from '../locations/location.js';
import type { MinutesTo } from '../availability/ways.js';

/** The events that say whose a session is, where, and whether it is confirmed: the last one of a stream holds. */
export const sessionDetails = storedEvents({
  SessionBooked: [1, 2],
  SessionChanged: [1],
  SessionReassigned: [1],
});

/** The travel times from a location to others; undefined if it has none. */
export async function loadWays(tx: CommandTransaction, place: string | null): Promise<MinutesTo | undefined> {
  if (place === null) return undefined;
  const where = await tx.load(location, place);
  if (where.status === 'unknown' || Object.keys(where.deslocamentos).length === 0) return undefined;
  return where.deslocamentos;
}

const placesOf = defineLookUp<{ session_id: string; location_id: string }, [streams: readonly string[]]>(
  `select session_id, location_id from (
    select distinct on (stream_id) substring(stream_id from 9) as session_id, data->>'location_id' as location_id
    from ${sessionDetails} e where tenant_id = $1 and stream_id = any($2::text[])
    order by stream_id, version desc) as last
  where location_id is not null`,
);

/** The locations of these sessions, from the log. */
export async function loadPlaces(
  tx: CommandTransaction,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const streams = sessions.map((id) => `session:${id}`);
  const rows = await tx.lookUp(placesOf, streams);
  return new Map(rows.map(({ session_id, location_id }) => [session_id, location_id]));
}
