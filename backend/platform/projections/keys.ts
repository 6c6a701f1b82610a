import type pg from 'pg';
import { runBatch, type Statement } from '../database/batch.js';
import type { EventCodec, EventRow, FactRow, PersonKeys, StoredEvent } from '../event-store/event-codec.js';
import type { PersonalData } from '../event-store/personal-data.js';

const KEYS = `select tenant_id, person_id, wrapped_key from person_keys
  join unnest($1::uuid[], $2::uuid[]) as p(tenant_id, person_id) using (tenant_id, person_id)
  where wrapped_key is not null`;

interface KeyRow {
  tenant_id: string;
  person_id: string;
  wrapped_key: Buffer;
}

/** Dependencies for decoding and decrypting rows of the log. */
export interface Decoder {
  codec: EventCodec;
  personalData: PersonalData;
}

const NO_KEYS: PersonKeys = new Map<string, Buffer>();

/** Decodes rows of several tenants, with one query for the keys. */
export async function decodeAll(
  client: pg.ClientBase,
  rows: readonly EventRow[],
  decoder: Decoder,
): Promise<StoredEvent[]> {
  const events = decodeWithoutKeys(rows, decoder);
  const [found = []] = await runBatch(client, keysOf(rows, decoder));
  decryptPersonal(events, rows, found, decoder);
  return events;
}

/** Rows as events whose personal fields are null. */
export function decodeWithoutKeys(rows: readonly EventRow[], { codec }: Decoder): StoredEvent[] {
  return rows.map((row) => codec.decode(row, NO_KEYS));
}

/** The statement that reads the keys of these rows; none if they need no keys. */
export function keysOf(rows: readonly FactRow[], { codec }: Decoder): Statement[] {
  const keys = codec.keysOfAll(rows);
  if (keys.length === 0) return [];
  const values = [keys.map(({ tenantId }) => tenantId), keys.map(({ keyId }) => keyId)];
  return [{ text: KEYS, values }];
}

/** The keys of these rows of one tenant. */
export async function keysFor(
  client: pg.ClientBase,
  tenantId: string,
  rows: readonly FactRow[],
  decoder: Decoder,
): Promise<PersonKeys> {
  const [found = []] = await runBatch(client, keysOf(rows, decoder));
  return new Map(
    (found as KeyRow[]).map(({ person_id, wrapped_key }) => [
      person_id,
      decoder.personalData.unwrap(wrapped_key, tenantId, person_id),
    ]),
  );
}

/** Decrypts the personal fields whose keys were found. */
export function decryptPersonal(
  events: readonly StoredEvent[],
  rows: readonly EventRow[],
  found: readonly pg.QueryResultRow[],
  { codec, personalData }: Decoder,
): void {
  const keys = new Map<string, Map<string, Buffer>>();
  for (const { tenant_id, person_id, wrapped_key } of found as KeyRow[]) {
    const own = keys.get(tenant_id) ?? new Map<string, Buffer>();
    keys.set(tenant_id, own.set(person_id, personalData.unwrap(wrapped_key, tenant_id, person_id)));
  }
  rows.forEach((row, at) => {
    const own = keys.get(row.tenant_id);
    if (own) events[at]!.data = codec.decodeData(row, own);
  });
}
