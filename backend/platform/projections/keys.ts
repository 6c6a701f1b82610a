import type pg from 'pg';
import { prepared } from '../database/pools.js';
import type { EventCodec, EventRow, StoredEvent } from '../event-store/event-codec.js';
import type { PersonalData } from '../event-store/personal-data.js';

const KEYS = `select tenant_id, person_id, wrapped_key from person_keys
  join unnest($1::uuid[], $2::uuid[]) as p(tenant_id, person_id) using (tenant_id, person_id)
  where wrapped_key is not null`;

/** What turns rows of the log into events in clear. */
export interface Decoder {
  codec: EventCodec;
  personalData: PersonalData;
}

/** Decodes rows of several tenants, with one look-up of the persons' keys. */
export async function decodeAll(
  client: pg.ClientBase,
  rows: readonly EventRow[],
  { codec, personalData }: Decoder,
): Promise<StoredEvent[]> {
  const persons = codec.personsOf(rows);
  const byTenant = new Map<string, Map<string, Buffer>>();
  if (persons.length > 0) {
    const found = await client.query<{ tenant_id: string; person_id: string; wrapped_key: Buffer }>(
      prepared(KEYS, [persons.map(({ tenantId }) => tenantId), persons.map(({ personId }) => personId)]),
    );
    for (const { tenant_id, person_id, wrapped_key } of found.rows) {
      const keys = byTenant.get(tenant_id) ?? new Map<string, Buffer>();
      keys.set(person_id, personalData.unwrap(wrapped_key, tenant_id, person_id));
      byTenant.set(tenant_id, keys);
    }
  }
  const none = new Map<string, Buffer>();
  return rows.map((row) => codec.decode(row, byTenant.get(row.tenant_id) ?? none));
}
