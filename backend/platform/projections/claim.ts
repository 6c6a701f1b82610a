import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import { prepared } from '../database/pools.js';
import type { EventRow } from '../event-store/event-codec.js';
import type { Projection, Range } from './projection.js';

/**
 * The checkpoint that a tenant's live projections share. A projection that is not live, because it is parked or being built, has
 * one of its own, by its name.
 */
export const SHARED = 'shared';

/** Held shared by every batch, and exclusively while rebuilt tables replace the live ones. */
export const SWITCH_LOCK = 7_263_001;

const BEGIN = { text: 'begin', values: [] };
/**
 * Settings of a batch. Its commit does not wait for the disk: if a crash of the database loses the commit, the
 * checkpoint is lost with it, and the batch is repeated. Only index scans and nested loops are allowed, because its
 * statements read few rows by key, even if the tables were small when the statements were planned.
 */
const HOLD = `select pg_advisory_xact_lock_shared(${SWITCH_LOCK}), set_config('synchronous_commit', 'off', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true)`;
/**
 * Locks the shared checkpoints that no other worker holds, and reads the events after them; a tenant without new events
 * gives a row without an event.
 */
const CLAIM = `with claimed as (
    select tenant_id, position from projection_checkpoint
    where tenant_id = any($1::uuid[]) and projection = '${SHARED}' order by tenant_id for update skip locked
  )
  select c.tenant_id, c.position as checkpoint,
    e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.recorded_at
  from claimed c left join lateral (
    select * from events e where e.tenant_id = c.tenant_id and e.position > c.position order by e.position limit $2
  ) e on true order by c.tenant_id, e.position`;
/**
 * Projections that are not live for these tenants. Read after the shared checkpoints are locked: a projection is made live only
 * under that lock, so this statement sees every change.
 */
const ASIDE = `select tenant_id, projection from projection_checkpoint
  where tenant_id = any($1::uuid[]) and projection <> '${SHARED}'`;
const VERSIONS = { text: 'select projection, version from projection_version', values: [] };
/**
 * Projections of another version than this worker's stay at the shared position until a worker of that version builds
 * them.
 */
const SET_ASIDE = `insert into projection_checkpoint (tenant_id, projection, position, version)
  select r.tenant_id, p.projection, r.position, p.version
  from unnest($1::uuid[], $2::bigint[]) as r(tenant_id, position)
  cross join unnest($3::text[], $4::int[]) as p(projection, version)
  on conflict do nothing`;

/** A row of `projection_version`; 0 where there is none. */
interface Version {
  projection: string;
  version: number;
}

type ClaimedRow = { checkpoint: number } & (
  | EventRow
  | ({ tenant_id: string } & { [Field in Exclude<keyof EventRow, 'tenant_id'>]: null })
);

/**
 * Begins the transaction and locks the checkpoints of the tenants that no other worker holds. `rows` are the events
 * after them.
 */
export async function claim(
  client: pg.ClientBase,
  projections: readonly Projection[],
  tenantIds: readonly string[],
  perTenant: number,
) {
  const [, , claimedRows, asideRows, versions] = await runBatch(client, [
    BEGIN,
    { text: HOLD, values: [] },
    { text: CLAIM, values: [tenantIds, perTenant] },
    { text: ASIDE, values: [tenantIds] },
    VERSIONS,
  ]);
  const found = claimedRows as ClaimedRow[];
  const rows = found.filter((row) => row.position !== null);
  const positions = new Map(found.map(({ tenant_id, checkpoint }) => [tenant_id, checkpoint]));
  const claimed = [...positions].map(([tenant_id, position]) => ({ tenant_id, position }));
  const aside = new Set(
    (asideRows as { tenant_id: string; projection: string }[]).map(
      ({ tenant_id, projection }) => `${tenant_id}/${projection}`,
    ),
  );
  return { claimed, aside, rows, others: othersOf(projections, versions as Version[]) };
}

/** Projections whose stored version differs from this worker's, or is not known to it. */
function othersOf(projections: readonly Projection[], stored: readonly Version[]): Version[] {
  const known = new Map(projections.map(({ name, version }) => [name, version]));
  const others = stored.filter(({ projection, version }) => known.get(projection) !== version);
  const names = new Set(stored.map(({ projection }) => projection));
  for (const projection of known.keys()) if (!names.has(projection)) others.push({ projection, version: 0 });
  return others;
}

/** Marks projections as not live for these tenants, from the shared position on. */
export async function setAside(
  client: pg.ClientBase,
  ranges: readonly Range[],
  others: readonly Version[],
): Promise<void> {
  await client.query(
    prepared(SET_ASIDE, [
      ranges.map(({ tenantId }) => tenantId),
      ranges.map(({ low }) => low),
      others.map(({ projection }) => projection),
      others.map(({ version }) => version),
    ]),
  );
}
