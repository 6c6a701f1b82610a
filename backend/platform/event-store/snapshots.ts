import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { prepared } from '../database/pools.js';
import type { FoldedStream } from './command-transaction.js';
import type { EventCodec, FactRow, RegisteredAggregate } from './event-codec.js';
import type { Statement } from '../database/batch.js';

/** Number of events after the last snapshot at which a stream gets a new one. */
const EVENTS_PER_SNAPSHOT = 10;

/** A snapshot of an older release does not replace that of a newer one. */
const TAKE = `insert into snapshots as s (tenant_id, stream_id, fold, version, state)
  values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, stream_id) do update
    set fold = excluded.fold, version = excluded.version, state = excluded.state where s.fold <= excluded.fold`;

const TAKEN =
  'select tenant_id, stream_id, fold, version, state from snapshots where tenant_id = any($1::uuid[]) order by tenant_id';
const EVENTS = `select tenant_id, stream_id, version, type, schema_version, data from events
  where tenant_id = $1 and stream_id = $2 and version <= $3 order by version`;

export const isSnapshotDue = ({ version, snapshot }: FoldedStream): boolean =>
  version - snapshot >= EVENTS_PER_SNAPSHOT;

/** The statement that stores a snapshot of a stream. */
export function takeSnapshot(
  tenantId: string,
  streamId: string,
  fold: number,
  { version, state }: FoldedStream,
): Statement {
  return { text: TAKE, values: [tenantId, streamId, fold, version, JSON.stringify(state)] };
}

/** Folds a stream's stored events without personal fields: no snapshot may depend on them. */
function foldRows(codec: EventCodec, aggregate: RegisteredAggregate, rows: readonly FactRow[]): unknown {
  return rows.reduce<unknown>(
    (state, row) =>
      aggregate.evolve(state as never, { type: row.type, data: codec.decodeData(row, new Map()) } as never),
    aggregate.initialState,
  );
}

/** The snapshots of these tenants that differ from the folded events, among those that this version reads. */
export async function wrongSnapshots(
  client: pg.ClientBase,
  codec: EventCodec,
  tenantIds: readonly string[],
): Promise<{ tenantId: string; streamId: string }[]> {
  const { rows } = await client.query<{
    tenant_id: string;
    stream_id: string;
    fold: number;
    version: number;
    state: unknown;
  }>(TAKEN, [tenantIds]);
  const wrong: { tenantId: string; streamId: string }[] = [];
  for (const { tenant_id, stream_id, fold, version, state } of rows) {
    const aggregate = codec.aggregateOf(stream_id);
    if (aggregate?.fold !== fold) continue;
    const events = await client.query<FactRow>(prepared(EVENTS, [tenant_id, stream_id, version]));
    const folded = foldRows(codec, aggregate, events.rows);
    if (events.rows.length !== version || !isDeepStrictEqual(JSON.parse(JSON.stringify(folded)), state))
      wrong.push({ tenantId: tenant_id, streamId: stream_id });
  }
  return wrong;
}
