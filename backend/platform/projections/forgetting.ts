import type pg from 'pg';
import type { EventRow, StoredEvent } from '../event-store/event-codec.js';
import { decodeAll, type Decoder } from './keys.js';
import type { Projection, Range } from './projection.js';

// Whom an event's key belongs to follows from its data alone, or is the tenant: the data name the person.
const STREAMS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at
  from events where tenant_id = $1 and position <= $2 and type = any($3::text[]) and stream_id in (
    select stream_id from events e where tenant_id = $1 and position <= $2 and type = any($4::text[])
      and exists (select from unnest($5::text[]) as p(person) where person = $1::text or strpos(e.data::text, person) > 0)
  ) order by position`;

/** Whether the projection's rows may hold what events say about persons. */
export function isAboutPersons({ needsEvents, events }: Projection, { codec }: Decoder): boolean {
  return needsEvents && events.some((type) => codec.definition(type).personal !== undefined);
}

/**
 * Takes persons who were forgotten out of a projection's rows: each stream that speaks of them is folded anew up to
 * `high`, and without their keys their fields are null, as they are in a rebuild.
 */
export async function forget(
  client: pg.ClientBase,
  projection: Projection,
  { tenantId, low, high }: Range,
  persons: readonly string[] | undefined,
  decoder: Decoder,
): Promise<void> {
  if (!persons || !isAboutPersons(projection, decoder)) return;
  const { events: types } = projection;
  const personal = types.filter((type) => decoder.codec.definition(type).personal !== undefined);
  const { rows } = await client.query<EventRow>(STREAMS, [tenantId, high, types, personal, persons]);
  if (rows.length === 0) return;
  const events = await decodeAll(client, rows, decoder);
  await projection.apply({ ranges: [{ tenantId, low, high }], events, client, anew: true });
}

/** The persons whom these events forget, by tenant. */
export function forgottenIn(events: readonly StoredEvent[], { codec }: Decoder): Map<string, string[]> {
  const persons = new Map<string, string[]>();
  for (const { tenantId, type, data } of events) {
    const person = codec.forgottenBy(type, data);
    if (person !== undefined) persons.set(tenantId, [...(persons.get(tenantId) ?? []), person]);
  }
  return persons;
}
