import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import type { EventRow, StoredEvent } from '../event-store/event-codec.js';
import { jsonPathsOf } from '../event-store/personal-fields.js';
import { decodeAll, type Decoder } from './keys.js';
import { type Projection, type Range, readRows, writesOf } from './projection.js';

/** Streams that have a personal text (paths $4) and name one of the persons $5, or that are about the trainer. */
const STREAMS = `select distinct stream_id from events e
  where tenant_id = $1 and position <= $2 and type = any($3::text[])
    and exists (select from unnest($4::jsonpath[]) as path where jsonb_path_exists(e.data, path))
    and ($1::text = any($5::text[])
      or jsonb_path_exists(e.data, '$.** ? (@ == $persons[*])', jsonb_build_object('persons', to_jsonb($5::text[]))))`;
const EVENTS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at
  from events where tenant_id = $1 and position <= $2 and type = any($3::text[]) and stream_id = any($4::text[])
  order by position`;
/** Streams whose events are in memory at the same time. */
const AT_ONCE = 100;

/** Whether the projection's rows may contain personal data. */
export function isAboutPersons({ needsEvents, events }: Projection, { codec }: Decoder): boolean {
  return needsEvents && events.some((type) => codec.definition(type).personal !== undefined);
}

/**
 * Removes forgotten persons from a projection's rows: each stream that mentions them is folded again up to `high`.
 * Without their keys their fields are null, as in a rebuild.
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
  const paths = new Set(personal.flatMap((type) => jsonPathsOf(decoder.codec.definition(type))));
  const { rows } = await client.query<{ stream_id: string }>(STREAMS, [
    tenantId,
    high,
    personal,
    [...paths],
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
    const forgotten = codec.forgottenBy(type, data);
    if (forgotten) persons.set(tenantId, [...(persons.get(tenantId) ?? []), forgotten.person]);
  }
  return persons;
}
