import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { settleAll } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { EventCodec } from '../event-store/event-codec.js';
import { GuardBuilds } from '../event-store/guard-builds.js';
import { PersonalData } from '../event-store/personal-data.js';
import { SnapshotBuilds } from '../event-store/snapshot-builds.js';
import { FeatureRegistry } from '../features.js';
import { Metrics } from '../ops/metrics.js';
import { HintBus } from '../realtime/hint-bus.js';
import type { Decoder } from './keys.js';
import { IS_ASIDE } from './lanes.js';
import type { Projection, Range } from './projection.js';
import { isPassing, whatFailed } from './projection-failure.js';
import { SWITCH_LOCK } from './claim.js';
import { ProjectorPool } from './projector-pool.js';
import { batches, replay } from './replay.js';

/**
 * Held shared while a projection is built here, and exclusively while it is rebuilt. The second key is the projection.
 */
export const BUILD_LOCK = 7_263_003;

/** One transaction builds up to this many tenants or events, whichever comes first, but at least one tenant. */
const TENANTS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 20_000;

const STORED = 'select projection, version from projection_version';
/** Existing rows have the lane's position and the stored version. */
const SET_ASIDE = `insert into projection_checkpoint (tenant_id, projection, position, version)
  select tenant_id, $1, position, $2 from projection_checkpoint where projection = $3 and position > 0
  on conflict do nothing`;
const STORE = `insert into projection_version as v (projection, version) values ($1, $2)
  on conflict (projection) do update set version = excluded.version where v.version < excluded.version`;
const BUILDING = `select pg_try_advisory_xact_lock_shared(${BUILD_LOCK}, hashtext($1)) as ours`;
/** Held until the end of the transaction, so that no newer version is registered meanwhile. */
const IS_CURRENT = 'select from projection_version where projection = $1 and version = $2 for share';
/**
 * Rows of other versions are replaced. So are those of summaries: a worker of a release in which the projection was no
 * summary left them at the position of `live`.
 */
const CLAIM = `select own.tenant_id, own.position, case when $5 = 'live' then own.version else 0 end as version, lane.position as live
  from projection_checkpoint own
  join projection_checkpoint lane on lane.tenant_id = own.tenant_id and lane.projection = $5
  where own.projection = $1 and (own.parked_error is not null) = $2 and own.tenant_id > $3
  order by own.tenant_id limit $4 for update of own skip locked`;
const LIVE = `select tenant_id, position from projection_checkpoint
  where tenant_id = any($1::uuid[]) and projection = $2 for update skip locked`;
const MOVE = `update projection_checkpoint c
  set position = m.position, version = $4, parked_error = null, parked_at = null
  from unnest($1::uuid[], $2::bigint[]) as m(tenant_id, position)
  where c.tenant_id = m.tenant_id and c.projection = $3`;
const JOIN = 'delete from projection_checkpoint where tenant_id = any($1::uuid[]) and projection = $2';
const PARK = `update projection_checkpoint set parked_error = $3, parked_at = now()
  where tenant_id = $1 and projection = $2`;
const PARKED = 'select count(*)::int as parked from projection_checkpoint where parked_error is not null';
const BEHIND = `select projection, count(*)::int as tenants from projection_checkpoint
  where ${IS_ASIDE} group by projection`;
/** Usually there are none, so a run without work costs one statement. */
const TO_BUILD = `select distinct projection from projection_checkpoint
  where ${IS_ASIDE} and (parked_error is not null) = $1`;
/** One transaction builds all rows of a tenant, however many there are. */
const UNLIMITED = "select set_config(name, '0', true) from pg_settings where name = 'transaction_timeout'";
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Claimed {
  tenant_id: string;
  position: number;
  version: number;
  live: number;
}

interface Built {
  /** Tenants for whom the projection is live from now on. */
  joined: { tenantId: string; position: number }[];
  /** The last tenant that was examined; undefined if there are no further ones. */
  last: string | undefined;
}

/**
 * Builds projections that are not live from the log: those that are new, that have a newer version than the stored
 * rows, and those that were parked. A tenant's rows are written in one transaction, which also makes the projection
 * live; until then readers see the old rows. Meanwhile live projecting of the tenant continues.
 */
@Injectable()
export class ProjectionBuilds {
  private readonly logger = new Logger(ProjectionBuilds.name);
  private readonly decoder: Decoder;

  constructor(
    private readonly projectorPool: ProjectorPool,
    codec: EventCodec,
    personalData: PersonalData,
    private readonly features: FeatureRegistry,
    private readonly hints: HintBus,
    private readonly metrics: Metrics,
    private readonly guards: GuardBuilds,
    private readonly snapshots: SnapshotBuilds,
  ) {
    this.decoder = { codec, personalData };
  }

  /** Marks projections that are new, or newer than the stored version, as not live, for every tenant. */
  async register(): Promise<void> {
    const { rows } = await this.projectorPool.pool.query<{ projection: string; version: number }>(STORED);
    const stored = new Map(rows.map(({ projection, version }) => [projection, version]));
    const newer = this.features.all.projections.filter(
      ({ name, version }) => (stored.get(name) ?? 0) < version,
    );
    if (newer.length === 0) return;
    await this.projectorPool.transact(async (client) => {
      // Waits for builds of the previous version first, and only then takes the lock that stops live projecting.
      for (const { name, version } of newer) await client.query(STORE, [name, version]);
      await client.query('select pg_advisory_xact_lock($1)', [SWITCH_LOCK]);
      for (const { name, lane } of newer) await client.query(SET_ASIDE, [name, stored.get(name) ?? 0, lane]);
    });
  }

  /** Builds projections, guards and snapshots that are not built yet. */
  async buildAll(): Promise<void> {
    const ask = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> =>
      (await this.projectorPool.pool.query<Row>(prepared(text, values))).rows;
    const projections = async () => {
      await this.register();
      await this.each(false);
    };
    const derived = async () => {
      await this.guards.buildAll(ask);
      await this.snapshots.buildAll(ask);
    };
    await settleAll([projections(), derived()]);
  }

  /** Tries every parked projection again, from its checkpoint. */
  async resumeAll(): Promise<void> {
    await this.each(true);
  }

  /**
   * Builds each projection in batches of tenants. After a failure the batch is halved, down to the single tenant that
   * fails.
   */
  private async each(parked: boolean): Promise<void> {
    const { rows } = await this.projectorPool.pool.query<{ projection: string }>(
      prepared(TO_BUILD, [parked]),
    );
    const toBuild = new Set(rows.map(({ projection }) => projection));
    for (const projection of this.features.all.projections.filter(({ name }) => toBuild.has(name))) {
      let last: string | undefined = FIRST;
      let atOnce = TENANTS_AT_ONCE;
      while (last !== undefined) {
        const built: Built | undefined = await this.tryToBuild(projection, parked, last, atOnce);
        if (built) {
          this.tell(projection, built.joined);
          last = built.last;
        }
        atOnce = built ? Math.min(TENANTS_AT_ONCE, atOnce * 2) : Math.floor(atOnce / 2);
      }
    }
  }

  /** Undefined if one of several tenants fails; a single failing tenant is parked. */
  private async tryToBuild(
    projection: Projection,
    parked: boolean,
    after: string,
    limit: number,
  ): Promise<Built | undefined> {
    let first = '';
    try {
      return await this.build(projection, parked, after, limit, (tenantId) => (first = tenantId));
    } catch (error) {
      if (isPassing(error)) throw error;
      if (limit > 1) return undefined;
      if (!parked) await this.park(first, projection.name, whatFailed(error));
      return { joined: [], last: first };
    }
  }

  private build(
    projection: Projection,
    parked: boolean,
    after: string,
    limit: number,
    claimedFirst: (tenantId: string) => void,
  ): Promise<Built> {
    const { name, version, tables, lane } = projection;
    return this.projectorPool.transact(async (client) => {
      await client.query(prepared(UNLIMITED, []));
      const { rows: locks } = await client.query<{ ours: boolean }>(prepared(BUILDING, [name]));
      // A rebuild of this projection is running and will make it live for all tenants.
      if (!locks[0]!.ours) return { joined: [], last: undefined };
      const current = await client.query(prepared(IS_CURRENT, [name, version]));
      if (current.rowCount === 0) return { joined: [], last: undefined };
      const { rows } = await client.query<Claimed>(prepared(CLAIM, [name, parked, after, limit, lane]));
      if (rows.length === 0) return { joined: [], last: undefined };
      claimedFirst(rows[0]!.tenant_id);
      const claimed = firstOf(rows, version);
      const outdated = claimed.filter((each) => each.version !== version).map(({ tenant_id }) => tenant_id);
      if (outdated.length > 0) {
        for (const table of [...tables].reverse())
          await client.query(prepared(`delete from ${table} where tenant_id = any($1::uuid[])`, [outdated]));
      }
      const reached = new Map(claimed.map(({ tenant_id, live }) => [tenant_id, live]));
      await this.replayAll(
        client,
        projection,
        claimed.map((each) => rangeOf(each, version)),
      );
      const { rows: lives } = await client.query<{ tenant_id: string; position: number }>(
        prepared(LIVE, [[...reached.keys()], lane]),
      );
      const rest = lives.map(({ tenant_id, position }) => ({
        tenantId: tenant_id,
        low: reached.get(tenant_id)!,
        high: position,
      }));
      await this.replayAll(client, projection, rest);
      for (const { tenantId, high } of rest) reached.set(tenantId, high);
      const moved = [[...reached.keys()], [...reached.values()], name, version];
      await client.query(prepared(MOVE, moved));
      await client.query(prepared(JOIN, [rest.map(({ tenantId }) => tenantId), name]));
      return {
        joined: rest.map(({ tenantId, high }) => ({ tenantId, position: high })),
        last: claimed.at(-1)!.tenant_id,
      };
    });
  }

  private async park(tenantId: string, projection: string, reason: string): Promise<void> {
    await this.projectorPool.pool.query(prepared(PARK, [tenantId, projection, reason]));
    this.logger.error({ msg: 'projection parked', projection, tenantId, reason });
  }

  private async replayAll(client: pg.ClientBase, projection: Projection, ranges: Range[]): Promise<void> {
    for (const batch of batches(ranges, projection)) await replay(client, projection, batch, this.decoder);
  }

  private tell({ name, topic, lane }: Projection, joined: Built['joined']): void {
    if (joined.length === 0) return;
    this.logger.log({ msg: 'projection live again', projection: name, tenants: joined.length });
    const topics = new Set([topic]);
    this.hints.projected(
      joined.map((each) => ({ ...each, lanes: [lane], topics, students: new Map(), changesLive: true })),
    );
  }

  /** For the metrics of this process, whichever process builds. */
  async measure(): Promise<void> {
    const { pool } = this.projectorPool;
    const [parked, behind] = await Promise.all([
      pool.query<{ parked: number }>(PARKED),
      pool.query<{ projection: string; tenants: number }>(BEHIND),
    ]);
    this.metrics.projectionsParked.set(parked.rows[0]!.parked);
    this.metrics.projectionsBehind.reset();
    for (const { projection, tenants } of behind.rows)
      this.metrics.projectionsBehind.set({ projection }, tenants);
  }
}

/** As many tenants as one transaction should build. */
function firstOf(rows: readonly Claimed[], version: number): Claimed[] {
  let events = 0;
  return rows.filter((row, at) => {
    const { low, high } = rangeOf(row, version);
    events += high - low;
    return at === 0 || events <= EVENTS_AT_ONCE;
  });
}

/** The events to replay: all of them if the rows are of another version. */
function rangeOf({ tenant_id, position, version, live }: Claimed, current: number): Range {
  return { tenantId: tenant_id, low: version === current ? position : 0, high: live };
}
