import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { settleAll } from '../database/database.js';
import { prepared } from '../database/pools.js';
import type { FeatureRegistry } from '../features.js';
import type { Decoder } from './keys.js';
import { SHARED, SWITCH_LOCK } from './claim.js';
import type { Projection, Range } from './projection.js';
import { isPassing, whatFailed } from './projection-failure.js';
import type { ProjectorPool } from './projector-pool.js';
import { batches, replay } from './replay.js';

/** One transaction builds up to this many tenants or events, whichever comes first, but at least one tenant. */
const TENANTS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 20_000;

const STORED = 'select projection, version from projection_version';
/** Existing rows have the shared position and the stored version. */
const SET_ASIDE = `insert into projection_checkpoint (tenant_id, projection, position, version)
  select tenant_id, $1, position, $2 from projection_checkpoint where projection = '${SHARED}' and position > 0
  on conflict do nothing`;
const ANEW = `update projection_checkpoint set version = 0, parked_error = null, parked_at = null where projection = $1`;
const STORE = `insert into projection_version as v (projection, version) values ($1, $2)
  on conflict (projection) do update set version = excluded.version where v.version < excluded.version`;
/** Held until the end of the transaction, so that no newer version is registered meanwhile. */
const IS_CURRENT = 'select from projection_version where projection = $1 and version = $2 for share';
const CLAIM = `select own.tenant_id, own.position, own.version, shared.position as live
  from projection_checkpoint own
  join projection_checkpoint shared on shared.tenant_id = own.tenant_id and shared.projection = '${SHARED}'
  where own.projection = $1 and (own.parked_error is not null) = $2 and own.tenant_id > $3
  order by own.tenant_id limit $4 for update of own skip locked`;
/** What of each tenant's log up to `seen` has events of these types, in one scan of the whole log. */
const OWN = `select l.tenant_id, l.position as seen, e.first, e.last
  from projection_checkpoint own join tenant_log l using (tenant_id)
  left join (select tenant_id, min(position) as first, max(position) as last from events
    where type = any($2::text[]) group by tenant_id) e using (tenant_id)
  where own.projection = $1`;
const LIVE = `select tenant_id, position from projection_checkpoint
  where tenant_id = any($1::uuid[]) and projection = '${SHARED}' for update skip locked`;
const MOVE = `update projection_checkpoint c
  set position = m.position, version = $4, parked_error = null, parked_at = null
  from unnest($1::uuid[], $2::bigint[]) as m(tenant_id, position)
  where c.tenant_id = m.tenant_id and c.projection = $3`;
const JOIN = 'delete from projection_checkpoint where tenant_id = any($1::uuid[]) and projection = $2';
const PARK = `update projection_checkpoint set parked_error = $3, parked_at = now()
  where tenant_id = $1 and projection = $2`;
const LEFT = `select count(*)::int as left, count(parked_error)::int as parked from projection_checkpoint where projection = $1`;
/** Usually there are none, so a run without work costs one statement. */
const TO_BUILD = `select distinct projection from projection_checkpoint
  where projection <> '${SHARED}' and (parked_error is not null) = $1`;
/**
 * One transaction builds all rows of a tenant, however many there are, and sorts them in memory. Its commit does not wait
 * for the disk: what a crash loses, rows and checkpoint together, is built again.
 */
const SETTINGS = `select set_config('synchronous_commit', 'off', true), set_config('work_mem', '32MB', true),
  (select set_config(name, '0', true) from pg_settings where name = 'transaction_timeout')`;
/** Pause before a rebuild looks again whether other workers have built the tenants that they hold. */
const HELD_MS = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The projection's events in a tenant's log up to `seen`: none before `first`, none after `last`. */
interface Own {
  seen: number;
  first: number | null;
  last: number | null;
}

interface Claimed {
  tenant_id: string;
  position: number;
  version: number;
  live: number;
}

/** Tenants for whom a projection is live from now on, and their positions. */
export type Joined = readonly { tenantId: string; position: number }[];

interface Built {
  joined: Joined;
  /** The last tenant that was examined; undefined if there are no further ones. */
  last: string | undefined;
}

/**
 * Builds projections that are not live from the log: those that are new, that have a newer version than the stored
 * rows, that were parked, or are rebuilt. A tenant's rows are written in one transaction, which also makes the projection
 * live; until then readers see the old rows. Meanwhile live projecting of the tenant continues.
 */
export class ProjectionBuilder {
  private readonly logger = new Logger(ProjectionBuilder.name);

  constructor(
    protected readonly projectorPool: ProjectorPool,
    private readonly features: FeatureRegistry,
    private readonly decoder: Decoder,
    /** Called for each batch of tenants for whom a projection is live again. */
    private readonly tell: (projection: Projection, joined: Joined) => void,
  ) {}

  get names(): string[] {
    return this.features.all.projections.map(({ name }) => name);
  }

  /** Marks projections that are new, or newer than the stored version, as not live, for every tenant. */
  async register(): Promise<void> {
    const { rows } = await this.projectorPool.pool.query<{ projection: string; version: number }>(STORED);
    const stored = new Map(rows.map(({ projection, version }) => [projection, version]));
    const newer = this.features.all.projections.filter(
      ({ name, version }) => (stored.get(name) ?? 0) < version,
    );
    if (newer.length === 0) return;
    await this.projectorPool.transact((client) => setAside(client, newer, stored));
  }

  /** Builds what is registered and not live, or tries what is parked again, from its checkpoint. */
  async build(parked: boolean): Promise<void> {
    const { rows } = await this.projectorPool.pool.query<{ projection: string }>(
      prepared(TO_BUILD, [parked]),
    );
    const toBuild = new Set(rows.map(({ projection }) => projection));
    for (const projection of this.features.all.projections.filter(({ name }) => toBuild.has(name)))
      await this.buildOne(projection, parked, parked ? new Map() : await this.ownEvents(projection));
  }

  /**
   * Builds a projection anew for every tenant, and waits for the tenants that other workers build. Returns for how many the
   * projection is parked then: their rows are the former ones.
   */
  async rebuild(name: string): Promise<number> {
    const projection = this.features.all.projections.find((each) => each.name === name);
    if (!projection) throw new Error(`Não há projeção "${name}". Há: ${this.names.join(', ')}.`);
    await this.register();
    await this.projectorPool.transact(async (client) => {
      await setAside(client, [projection], new Map());
      const { rowCount } = await client.query(prepared(IS_CURRENT, [name, projection.version]));
      if (rowCount === 0) throw new Error(`${name} já é de uma versão mais nova do Rende.`);
      await client.query(ANEW, [name]);
    });
    const own = await this.ownEvents(projection);
    for (;;) {
      // Two at once, for different tenants: one decodes while the other's statements run.
      await settleAll([0, 1].map(() => this.buildOne(projection, false, own)));
      const { rows } = await this.projectorPool.pool.query<{ left: number; parked: number }>(LEFT, [name]);
      const { left, parked } = rows[0]!;
      if (left === parked) return parked;
      await delay(HELD_MS);
    }
  }

  private async ownEvents({ name, events }: Projection): Promise<ReadonlyMap<string, Own>> {
    const types = [...events, ...this.decoder.codec.typesThatForget];
    const { rows } = await this.projectorPool.pool.query<Own & { tenant_id: string }>(OWN, [name, types]);
    return new Map(rows.map((row) => [row.tenant_id, row]));
  }

  /** In batches of tenants. After a failure the batch is halved, down to the single tenant that fails. */
  private async buildOne(
    projection: Projection,
    parked: boolean,
    own: ReadonlyMap<string, Own>,
  ): Promise<void> {
    let last: string | undefined = FIRST;
    let atOnce = TENANTS_AT_ONCE;
    while (last !== undefined) {
      const built: Built | undefined = await this.tryToBuild(projection, parked, own, last, atOnce);
      if (built) {
        if (built.joined.length > 0) this.tell(projection, built.joined);
        last = built.last;
      }
      atOnce = built ? Math.min(TENANTS_AT_ONCE, atOnce * 2) : Math.floor(atOnce / 2);
    }
  }

  /** Undefined if one of several tenants fails; a single failing tenant is parked. */
  private async tryToBuild(
    projection: Projection,
    parked: boolean,
    own: ReadonlyMap<string, Own>,
    after: string,
    limit: number,
  ): Promise<Built | undefined> {
    let first = '';
    try {
      return await this.buildBatch(projection, parked, own, after, limit, (tenantId) => (first = tenantId));
    } catch (error) {
      if (isPassing(error)) throw error;
      if (limit > 1) return undefined;
      if (!parked) await this.park(first, projection.name, whatFailed(error));
      return { joined: [], last: first };
    }
  }

  private buildBatch(
    projection: Projection,
    parked: boolean,
    own: ReadonlyMap<string, Own>,
    after: string,
    limit: number,
    claimedFirst: (tenantId: string) => void,
  ): Promise<Built> {
    const { name, version, tables } = projection;
    return this.projectorPool.transact(async (client) => {
      await client.query(prepared(SETTINGS, []));
      const current = await client.query(prepared(IS_CURRENT, [name, version]));
      if (current.rowCount === 0) return { joined: [], last: undefined };
      const { rows } = await client.query<Claimed>(prepared(CLAIM, [name, parked, after, limit]));
      if (rows.length === 0) return { joined: [], last: undefined };
      claimedFirst(rows[0]!.tenant_id);
      const claimed = firstOf(rows, version, own);
      const outdated = claimed.filter((each) => each.version !== version).map(({ tenant_id }) => tenant_id);
      if (outdated.length > 0) {
        for (const table of [...tables].reverse())
          await client.query(prepared(`delete from ${table} where tenant_id = any($1::uuid[])`, [outdated]));
      }
      const reached = new Map(claimed.map(({ tenant_id, live }) => [tenant_id, live]));
      await this.replayAll(
        client,
        projection,
        claimed.map((each) => rangeOf(each, version, own)),
      );
      const { rows: lives } = await client.query<{ tenant_id: string; position: number }>(
        prepared(LIVE, [[...reached.keys()]]),
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
}

/** Marks projections as not live, for every tenant. `stored`: the version of their rows; 0 where there is none. */
async function setAside(
  client: pg.ClientBase,
  projections: readonly Projection[],
  stored: ReadonlyMap<string, number>,
): Promise<void> {
  // Waits for running builds of the projections first, and only then takes the lock that stops live projecting.
  for (const { name, version } of projections) await client.query(STORE, [name, version]);
  await client.query('select pg_advisory_xact_lock($1)', [SWITCH_LOCK]);
  for (const { name } of projections) await client.query(SET_ASIDE, [name, stored.get(name) ?? 0]);
}

/** As many tenants as one transaction should build. */
function firstOf(rows: readonly Claimed[], version: number, own: ReadonlyMap<string, Own>): Claimed[] {
  let events = 0;
  return rows.filter((row, at) => {
    const { low, high } = rangeOf(row, version, own);
    events += high - low;
    return at === 0 || events <= EVENTS_AT_ONCE;
  });
}

/** The events to replay: all of the projection's if the rows are of another version. */
function rangeOf(
  { tenant_id: tenantId, position, version, live }: Claimed,
  current: number,
  own: ReadonlyMap<string, Own>,
): Range {
  const { seen, first, last } = own.get(tenantId) ?? { seen: 0, first: null, last: null };
  const low = Math.max(version === current ? position : 0, (first ?? seen + 1) - 1);
  return { tenantId, low, high: Math.max(low, live > seen ? live : Math.min(live, last ?? 0)) };
}
