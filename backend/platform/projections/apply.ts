import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import type { StoredEvent } from '../event-store/event-codec.js';
import { forget, forgottenIn } from './forgetting.js';
import type { Decoder } from './keys.js';
import { type Projection, type Range, readRows, type Share, writesOf } from './projection.js';

/** Applies the events of these ranges to a projection, and removes the persons whom the events forget. */
export async function apply(
  client: pg.ClientBase,
  projection: Projection,
  ranges: readonly Range[],
  events: readonly StoredEvent[],
  decoder: Decoder,
): Promise<void> {
  const shares = shareOf(projection, ranges, events);
  const { read } = await readRows(client, shares);
  const writes = writesOf(shares, read);
  if (writes.length > 0) await runBatch(client, writes);
  const persons = forgottenIn(events, decoder);
  for (const range of ranges) await forget(client, projection, range, persons.get(range.tenantId), decoder);
}

/** The events that the projection handles, by range; ranges without any are left out. */
export function shareOf(
  projection: Projection,
  ranges: readonly Range[],
  events: readonly StoredEvent[],
): Share[] {
  const tenants = new Set(ranges.map(({ tenantId }) => tenantId));
  const own = events.filter(
    ({ type, tenantId }) => projection.events.includes(type) && tenants.has(tenantId),
  );
  return own.length > 0 ? [{ projection, batch: { ranges, events: own } }] : [];
}
