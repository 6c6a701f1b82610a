import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import type { EventRow, StoredEvent } from '../event-store/event-codec.js';
import { decodeAll, type Decoder } from './keys.js';
import { type Projection, type Range, readRows, writesOf } from './projection.js';

/** Where something is said under the key of a person: whose it is, is the tenant's or stands in a field of the data. */
const STREAMS = `select distinct stream_id from events e
  where tenant_id = $1 and position <= $2 and type = any($3::text[])
    and exists (select from unnest($4::text[]) as name where e.data ->> name is not null)
    and ($1::text = any($5::text[])
      or exists (select from jsonb_each_text(e.data) as field where field.value = any($5::text[])))`;
const EVENTS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at
  from events where tenant_id = $1 and position <= $2 and type = any($3::text[]) and stream_id = any($4::text[])
  order by position`;
/** Streams whose events are in memory at once. */
const AT_ONCE = 100;

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
  const fields = personal.flatMap((type) => decoder.codec.definition(type).personal!.fields);
  const { rows } = await client.query<{ stream_id: string }>(STREAMS, [
    tenantId,
    high,
    personal,
    fields,
    persons,
  ]);
  const streams = rows.map(({ stream_id }) => stream_id);
  while (streams.length > 0) {
    const values = [tenantId, high, types, streams.splice(0, AT_ONCE)];
    const { rows: some } = await client.query<EventRow>(EVENTS, values);
    const events = await decodeAll(client, some, decoder);
    const shares = [{ projection, batch: { ranges: [{ tenantId, low, high }], events, anew: true } }];
    const { read } = await readRows(client, shares);
    await runBatch(client, writesOf(shares, read));
  }
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
