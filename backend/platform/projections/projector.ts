import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { runBatch, type Statement } from '../database/batch.js';
import { abandon } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { EventCodec, type EventRow, type StoredEvent } from '../event-store/event-codec.js';
import { PersonalData } from '../event-store/personal-data.js';
import { FeatureRegistry } from '../features.js';
import { forget, forgottenIn } from './forgetting.js';
import { decodeAll, type Decoder, decodeVeiled, keysOf, unveil } from './keys.js';
import { type Projected, projectedOf } from './projected.js';
import { isPassing, whatFailed } from './projection-failure.js';
import { type Projection, type Range, readRows, type Share, writesOf } from './projection.js';
import { ProjectorPool } from './projector-pool.js';

/** Held shared by every batch and alone by the moment in which a rebuilt projection takes the live one's place. */
export const SWITCH_LOCK = 7_263_001;

const MAX_EVENTS = 4_000;
const BEGIN = { text: 'begin', values: [] };
const COMMIT = { text: 'commit', values: [] };
/**
 * Whoever waits for the commit of a batch waits for nothing: were it lost in a crash of the database, its checkpoint
 * would be lost with it, and the batch repeated. Its statements touch a few rows by their keys, however small the tables
 * were when they were planned.
 */
const HOLD = `select pg_advisory_xact_lock_shared(${SWITCH_LOCK}), set_config('synchronous_commit', 'off', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true)`;
/** Checkpoints that no other worker holds, and what follows them: a row for each event, or one without. */
const CLAIM = `with claimed as (
    select tenant_id, projection, position from projection_checkpoint
    where tenant_id = any($1::uuid[]) order by tenant_id, projection for update skip locked
  )
  select c.tenant_id, c.projection, c.position as checkpoint,
    e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.recorded_at
  from claimed c left join lateral (
    select * from events e
    where c.projection = 'live' and e.tenant_id = c.tenant_id and e.position > c.position order by e.position limit $2
  ) e on true order by c.tenant_id, c.projection, e.position`;
const MOVE = `update projection_checkpoint c set position = m.position
  from unnest($1::uuid[], $2::bigint[]) as m(tenant_id, position)
  where c.tenant_id = m.tenant_id and c.projection = 'live'`;
const PARK = `insert into projection_checkpoint (tenant_id, projection, position, parked_error, parked_at)
  values ($1, $2, $3, $4, now())`;

interface Checkpoint {
  tenant_id: string;
  projection: string;
  position: number;
}

type ClaimedRow = { projection: string; checkpoint: number } & (
  | EventRow
  | ({ tenant_id: string } & { [Field in Exclude<keyof EventRow, 'tenant_id'>]: null })
);

/** What a batch brings to one projection: the tenants for whom it is not parked. */
interface Work {
  projection: Projection;
  ranges: readonly Range[];
}

interface BatchResult {
  projected: Projected[];
  /** Tenants that another worker holds right now. */
  held: string[];
  /** Tenants with more events than the batch took. */
  unfinished: string[];
}

/** Brings read tables up to the log. Killed anywhere it repeats: the checkpoint moves in the batch's transaction. */
@Injectable()
export class Projector {
  private readonly logger = new Logger(Projector.name);
  private readonly decoder: Decoder;

  constructor(
    private readonly projectorPool: ProjectorPool,
    codec: EventCodec,
    personalData: PersonalData,
    private readonly features: FeatureRegistry,
  ) {
    this.decoder = { codec, personalData };
  }

  /** One batch for these tenants. A projection that fails is parked for its tenant, the others go on. */
  async batch(tenantIds: readonly string[]): Promise<BatchResult> {
    try {
      return await this.attempt(tenantIds, MAX_EVENTS, false);
    } catch (error) {
      if (isPassing(error)) throw error;
    }
    // One of the events is poison to one of the projections: alone, tenant by tenant and event by event, it shows.
    const result: BatchResult = { projected: [], held: [], unfinished: [] };
    for (const tenantId of tenantIds) {
      const { projected, held, unfinished } = await this.attempt([tenantId], 1, true);
      result.projected.push(...projected);
      result.held.push(...held);
      result.unfinished.push(...unfinished);
    }
    return result;
  }

  private async attempt(
    tenantIds: readonly string[],
    maxEvents: number,
    park: boolean,
  ): Promise<BatchResult> {
    const client = await this.projectorPool.pool.connect();
    try {
      const perTenant = Math.max(1, Math.floor(maxEvents / tenantIds.length));
      const { live, parked, rows } = await this.claim(client, tenantIds, perTenant);
      const claimedIds = new Set(live.map(({ tenant_id }) => tenant_id));
      const held = tenantIds.filter((tenantId) => !claimedIds.has(tenantId));
      if (rows.length === 0) {
        await runBatch(client, [COMMIT]);
        client.release();
        return { projected: [], held, unfinished: [] };
      }
      const ranges = rangesOf(live, rows);
      const isParked = new Set(parked.map(({ tenant_id, projection }) => `${tenant_id}/${projection}`));
      const work = this.features.all.projections.map((projection) => ({
        projection,
        ranges: ranges.filter(({ tenantId }) => !isParked.has(`${tenantId}/${projection.name}`)),
      }));
      const moved = [ranges.map(({ tenantId }) => tenantId), ranges.map(({ high }) => high)];
      const last = [{ text: MOVE, values: moved }, COMMIT];
      const events = park
        ? await this.applyOrPark(client, work, rows, parked, last)
        : await this.applyAll(client, work, rows, parked, last);
      client.release();
      const projected = projectedOf(ranges, events, this.features.all.projections, this.decoder);
      return { projected, held, unfinished: unfinishedOf(ranges, perTenant) };
    } catch (error) {
      await abandon(client);
      throw error;
    }
  }

  /** Begins, and holds the checkpoints of the tenants that are free. `rows` are events after the live ones. */
  private async claim(client: pg.ClientBase, tenantIds: readonly string[], perTenant: number) {
    const [, , claimed] = await runBatch(client, [
      BEGIN,
      { text: HOLD, values: [] },
      { text: CLAIM, values: [tenantIds, perTenant] },
    ]);
    const found = claimed as ClaimedRow[];
    const rows = found.filter((row) => row.position !== null);
    const checkpoints = new Map<string, Checkpoint>();
    for (const { tenant_id, projection, checkpoint } of found)
      checkpoints.set(`${tenant_id}/${projection}`, { tenant_id, projection, position: checkpoint });
    const all = [...checkpoints.values()];
    const live = all.filter(({ projection }) => projection === 'live');
    const parked = all.filter(({ projection }) => projection !== 'live');
    return { live, parked, rows };
  }

  /** Two round trips: what is read with the persons' keys, and what is written with the end of the transaction. */
  private async applyAll(
    client: pg.ClientBase,
    work: readonly Work[],
    rows: readonly EventRow[],
    parked: readonly Checkpoint[],
    last: readonly Statement[],
  ): Promise<StoredEvent[]> {
    const events = decodeVeiled(rows, this.decoder);
    const shares = work.flatMap(({ projection, ranges }) => shareOf(projection, ranges, events));
    const { also, read } = await readRows(client, shares, keysOf(rows, this.decoder));
    unveil(events, rows, also[0] ?? [], this.decoder);
    const writes = writesOf(shares, read);
    const persons = forgottenIn(events, this.decoder);
    if (persons.size === 0) {
      await runBatch(client, [...writes, ...last]);
      return events;
    }
    await runBatch(client, writes);
    for (const { projection, ranges } of work) {
      for (const range of ranges)
        await forget(client, projection, range, persons.get(range.tenantId), this.decoder);
    }
    await this.forgetInParked(client, parked, persons);
    await runBatch(client, last);
    return events;
  }

  /** One projection after another; an event that cannot be read is poison to those that fold it. */
  private async applyOrPark(
    client: pg.ClientBase,
    work: readonly Work[],
    rows: readonly EventRow[],
    parked: readonly Checkpoint[],
    last: readonly Statement[],
  ): Promise<StoredEvent[]> {
    let events: StoredEvent[];
    let undecodable: Error | undefined;
    try {
      events = await decodeAll(client, rows, this.decoder);
    } catch (error) {
      if (isPassing(error)) throw error;
      events = rows.map(rawEvent);
      undecodable = error as Error;
    }
    for (const { projection, ranges } of work) {
      for (const range of ranges) {
        await client.query('savepoint projection');
        try {
          if (undecodable && projection.needsEvents && projection.events.includes(events[0]!.type))
            throw undecodable;
          await apply(client, projection, [range], events, this.decoder);
          await client.query('release savepoint projection');
        } catch (error) {
          if (isPassing(error)) throw error;
          await client.query('rollback to savepoint projection');
          const reason = `${String(events[0]?.type)} at position ${range.high}: ${whatFailed(error)}`;
          await client.query(prepared(PARK, [range.tenantId, projection.name, range.low, reason]));
          this.logger.error({
            msg: 'projection parked',
            projection: projection.name,
            tenantId: range.tenantId,
            reason,
          });
        }
      }
    }
    await this.forgetInParked(client, parked, forgottenIn(events, this.decoder));
    await runBatch(client, last);
    return events;
  }

  /** A projection that stands still forgets all the same, in the rows that it has. */
  private async forgetInParked(
    client: pg.ClientBase,
    parked: readonly Checkpoint[],
    persons: ReadonlyMap<string, string[]>,
  ): Promise<void> {
    for (const { tenant_id: tenantId, projection: name, position } of parked) {
      const projection = this.features.all.projections.find((each) => each.name === name);
      const range = { tenantId, low: position, high: position };
      if (projection) await forget(client, projection, range, persons.get(tenantId), this.decoder);
    }
  }
}

/** Gives a projection its own events of these ranges, and has it forget the persons whom the events forget. */
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

/** What of these events is the projection's; nothing where none is. */
function shareOf(projection: Projection, ranges: readonly Range[], events: readonly StoredEvent[]): Share[] {
  const tenants = new Set(ranges.map(({ tenantId }) => tenantId));
  const own = events.filter(
    ({ type, tenantId }) => projection.events.includes(type) && tenants.has(tenantId),
  );
  return own.length > 0 ? [{ projection, batch: { ranges, events: own } }] : [];
}

/** Ranges that these rows cover, after each tenant's checkpoint. */
function rangesOf(
  checkpoints: readonly { tenant_id: string; position: number }[],
  rows: readonly EventRow[],
): Range[] {
  const high = new Map<string, number>();
  for (const { tenant_id, position } of rows) high.set(tenant_id, position);
  return checkpoints.flatMap(({ tenant_id, position }) => {
    const last = high.get(tenant_id);
    return last === undefined ? [] : [{ tenantId: tenant_id, low: position, high: last }];
  });
}

function unfinishedOf(ranges: readonly Range[], perTenant: number): string[] {
  return ranges.filter(({ low, high }) => high - low >= perTenant).map(({ tenantId }) => tenantId);
}

function rawEvent({
  tenant_id,
  position,
  stream_id,
  version,
  type,
  data,
  meta,
  recorded_at,
}: EventRow): StoredEvent {
  return {
    tenantId: tenant_id,
    position,
    streamId: stream_id,
    version,
    type,
    data,
    meta,
    recordedAt: recorded_at,
    isAsStored: true,
  };
}
