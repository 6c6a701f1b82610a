import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import { prepared } from '../database/pools.js';
import type { EventRow } from '../event-store/event-codec.js';
import { decodeAll, type Decoder } from './keys.js';
import type { Projection, Range } from './projection.js';
import { apply } from './apply.js';

const EVENTS_PER_BATCH = 50_000;
/** For projections folded in Node: larger batches use more memory and are no faster. */
const EVENTS_PER_FOLD = 5_000;

const EVENTS = `select e.tenant_id, e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.recorded_at
  from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as r(tenant_id, low, high)
  join events e on e.tenant_id = r.tenant_id and e.position > r.low and e.position <= r.high
  where e.type = any($4::text[]) order by e.tenant_id, e.position`;

/** Applies these ranges of the log to the projection's tables, in the caller's transaction. */
export async function replay(
  client: pg.ClientBase,
  projection: Projection,
  ranges: readonly Range[],
  decoder: Decoder,
): Promise<void> {
  if (!projection.needsEvents) {
    await runBatch(client, projection.writes({ ranges, events: [] }, []));
    return;
  }
  const values = [
    ranges.map(({ tenantId }) => tenantId),
    ranges.map(({ low }) => low),
    ranges.map(({ high }) => high),
    [...projection.events, ...decoder.codec.typesThatForget],
  ];
  const { rows } = await client.query<EventRow>(prepared(EVENTS, values));
  await apply(client, projection, ranges, await decodeAll(client, rows, decoder), decoder);
}

/** Divides ranges so that each batch has at most as many events as should be in memory. */
export function* batches(behind: readonly Range[], { needsEvents }: Projection): Generator<Range[]> {
  const size = needsEvents ? EVENTS_PER_FOLD : EVENTS_PER_BATCH;
  let batch: Range[] = [];
  let room = size;
  for (const { tenantId, low, high } of behind) {
    for (let at = low; at < high;) {
      const end = Math.min(high, at + room);
      batch.push({ tenantId, low: at, high: end });
      room -= end - at;
      at = end;
      if (room === 0) {
        yield batch;
        batch = [];
        room = size;
      }
    }
  }
  if (batch.length > 0) yield batch;
}
