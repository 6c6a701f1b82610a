import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { runBatch, type Statement } from '../database/batch.js';
import { abandon } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { EventCodec, type EventRow, type StoredEvent } from '../event-store/event-codec.js';
import { PersonalData } from '../event-store/personal-data.js';
import { FeatureRegistry } from '../features.js';
import { apply, shareOf } from './apply.js';
import { claim, setAside, SHARED } from './claim.js';
import { forget, forgottenIn } from './forgetting.js';
import { decodeAll, type Decoder, decodeWithoutKeys, keysOf, decryptPersonal } from './keys.js';
import { type Projected, projectedOf } from './projected.js';
import { isPassing, whatFailed } from './projection-failure.js';
import { type Projection, type Range, readRows, writesOf } from './projection.js';
import { ProjectorPool } from './projector-pool.js';

const MAX_EVENTS = 4_000;
const COMMIT = { text: 'commit', values: [] };
/** Projections that are parked and not being built at the moment: a build would read the event from the log. */
const ASIDE_TO_FORGET = `select tenant_id, projection, position from projection_checkpoint
  where tenant_id = any($1::uuid[]) and projection <> '${SHARED}' for update skip locked`;
const MOVE = `update projection_checkpoint c set position = m.position
  from unnest($1::uuid[], $2::bigint[]) as m(tenant_id, position)
  where c.tenant_id = m.tenant_id and c.projection = '${SHARED}'`;
const PARK = `insert into projection_checkpoint (tenant_id, projection, position, version, parked_error, parked_at)
  values ($1, $2, $3, $4, $5, now())`;

interface Checkpoint {
  tenant_id: string;
  projection: string;
  position: number;
}

/** One projection's part of a batch: the ranges of the tenants for which it is not parked. */
interface Work {
  projection: Projection;
  ranges: readonly Range[];
}

export interface BatchResult {
  projected: Projected[];
  /** Tenants that another worker holds. */
  held: string[];
  /** Tenants with more events than the batch has processed. */
  unfinished: string[];
  /** Tenants with events that reactions follow. */
  reacting: string[];
}

const nothing = (): BatchResult => ({ projected: [], held: [], unfinished: [], reacting: [] });

/** Projects events into read tables. If it is killed, the batch is repeated: its checkpoint moves in the same transaction. */
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

  /** Runs one batch for these tenants. A projection that fails is parked for its tenant; the others continue. */
  async batch(tenantIds: readonly string[]): Promise<BatchResult> {
    try {
      return await this.attempt(tenantIds, MAX_EVENTS, false);
    } catch (error) {
      if (isPassing(error)) throw error;
    }
    // Some projection failed at some event: projecting each tenant alone, event by event, finds out which.
    const result = nothing();
    for (const tenantId of tenantIds) {
      const { projected, held, unfinished, reacting } = await this.attempt([tenantId], 1, true);
      result.projected.push(...projected);
      result.held.push(...held);
      result.unfinished.push(...unfinished);
      result.reacting.push(...reacting);
    }
    return result;
  }

  private async attempt(
    tenantIds: readonly string[],
    maxEvents: number,
    park: boolean,
  ): Promise<BatchResult> {
    const client = await this.projectorPool.pool.connect();
    const { projections } = this.features.all;
    try {
      const perTenant = Math.max(1, Math.floor(maxEvents / tenantIds.length));
      const { claimed, aside, others, rows } = await claim(client, projections, tenantIds, perTenant);
      const claimedIds = new Set(claimed.map(({ tenant_id }) => tenant_id));
      const held = tenantIds.filter((tenantId) => !claimedIds.has(tenantId));
      if (rows.length === 0) {
        await runBatch(client, [COMMIT]);
        client.release();
        return { ...nothing(), held };
      }
      const ranges = rangesOf(claimed, rows);
      if (others.length > 0) await setAside(client, ranges, others);
      const isOther = new Set(others.map(({ projection }) => projection));
      const work = projections
        .filter(({ name }) => !isOther.has(name))
        .map((projection) => ({
          projection,
          ranges: ranges.filter(({ tenantId }) => !aside.has(`${tenantId}/${projection.name}`)),
        }));
      const moved = [ranges.map(({ tenantId }) => tenantId), ranges.map(({ high }) => high)];
      const last = [{ text: MOVE, values: moved }, COMMIT];
      const parked = new Set<string>();
      const events = park
        ? await this.applyOrPark(client, work, rows, last, parked)
        : await this.applyAll(client, work, rows, last);
      client.release();
      const projected = projectedOf(ranges, events, projections, this.decoder).map((each) =>
        parked.has(each.tenantId) || others.length > 0 ? { ...each, changesLive: true } : each,
      );
      return {
        projected,
        held,
        unfinished: unfinishedOf(ranges, perTenant),
        reacting: this.reactingTo(rows),
      };
    } catch (error) {
      await abandon(client);
      throw error;
    }
  }

  private reactingTo(rows: readonly EventRow[]): string[] {
    const types = new Set(this.features.all.reactions.flatMap(({ events }) => events));
    return [...new Set(rows.filter(({ type }) => types.has(type)).map(({ tenant_id }) => tenant_id))];
  }

  /** Uses two round trips: the reads together with the persons' keys, then the writes together with the commit. */
  private async applyAll(
    client: pg.ClientBase,
    work: readonly Work[],
    rows: readonly EventRow[],
    last: readonly Statement[],
  ): Promise<StoredEvent[]> {
    const events = decodeWithoutKeys(rows, this.decoder);
    const shares = work.flatMap(({ projection, ranges }) => shareOf(projection, ranges, events));
    const { also, read } = await readRows(client, shares, keysOf(rows, this.decoder));
    decryptPersonal(events, rows, also[0] ?? [], this.decoder);
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
    await this.forgetAside(client, persons);
    await runBatch(client, last);
    return events;
  }

  /** Applies one projection after another. An event that cannot be decoded parks the projections that need it. */
  private async applyOrPark(
    client: pg.ClientBase,
    work: readonly Work[],
    rows: readonly EventRow[],
    last: readonly Statement[],
    parked: Set<string>,
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
          const { name, version } = projection;
          await client.query(prepared(PARK, [range.tenantId, name, range.low, version, reason]));
          parked.add(range.tenantId);
          this.logger.error({
            msg: 'projection parked',
            projection: projection.name,
            tenantId: range.tenantId,
            reason,
          });
        }
      }
    }
    await this.forgetAside(client, forgottenIn(events, this.decoder));
    await runBatch(client, last);
    return events;
  }

  /** Removes forgotten persons from the rows of parked projections too. */
  private async forgetAside(client: pg.ClientBase, persons: ReadonlyMap<string, string[]>): Promise<void> {
    if (persons.size === 0) return;
    const { rows } = await client.query<Checkpoint>(prepared(ASIDE_TO_FORGET, [[...persons.keys()]]));
    for (const { tenant_id: tenantId, projection: name, position } of rows) {
      const projection = this.features.all.projections.find((each) => each.name === name);
      const range = { tenantId, low: position, high: position };
      if (projection) await forget(client, projection, range, persons.get(tenantId), this.decoder);
    }
  }
}

/** Ranges of these rows, after each tenant's checkpoint. */
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
