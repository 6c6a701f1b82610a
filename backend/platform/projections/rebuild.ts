import type pg from 'pg';
import type { Config } from '../config/env.js';
import { settleAll } from '../database/database.js';
import { createPool } from '../database/pools.js';
import type { EventCodec } from '../event-store/event-codec.js';
import type { PersonalData } from '../event-store/personal-data.js';
import type { FeatureRegistry } from '../features.js';
import type { Decoder } from './keys.js';
import { BUILD_LOCK } from './projection-builds.js';
import type { Projection, Range } from './projection.js';
import { isPassing, whatFailed } from './projection-failure.js';
import { SWITCH_LOCK } from './claim.js';
import { batches, replay } from './replay.js';

const SCHEMA = 'rebuild';
/** Only one rebuild at a time. */
const REBUILD_LOCK = 7_263_002;
/** Connections that replay at the same time, each for a part of the tenants. */
const LANES = 2;
/** The switch begins when fewer events than this are left, because live projecting stops while they are replayed. */
const CLOSE_ENOUGH = 2_000;

const UNSAMPLED = `select format('alter table ${SCHEMA}.%I alter %I set statistics 0', $1::text, attname) as statement
  from pg_attribute where attrelid = format('read.%I', $1::text)::regclass and attnum > 0 and attstattarget = 0
    and not attisdropped`;
/** Only up to the lane's position: later events are projected into the new tables too. */
const LAGS = `select l.tenant_id, coalesce(p.position, 0) as low, l.position as high
  from projection_checkpoint l left join rebuild_progress p using (tenant_id)
  where l.projection = $1 and l.position > coalesce(p.position, 0) and p.parked_error is null order by l.tenant_id`;
const MOVE = `insert into rebuild_progress as p (tenant_id, position) select * from unnest($1::uuid[], $2::bigint[])
  on conflict (tenant_id) do update set position = excluded.position`;
const PARK = `insert into rebuild_progress as p (tenant_id, position, parked_error) values ($1, $2, $3)
  on conflict (tenant_id) do update set position = excluded.position, parked_error = excluded.parked_error`;
const KEEP_PARKED = `insert into projection_checkpoint (tenant_id, projection, position, version, parked_error, parked_at)
  select tenant_id, $1, position, $2, parked_error, now() from rebuild_progress where parked_error is not null`;

const STORE = `insert into projection_version as v (projection, version) values ($1, $2)
  on conflict (projection) do update set version = excluded.version`;
/** The first and the last event of these types for each tenant, in one scan of the whole log. */
const OWN = `select tenant_id, min(position) as first, max(position) as last from events
  where type = any($1::text[]) group by tenant_id`;
/**
 * Indexes and constraints except checks (`like` copies these with their names): either those that can refuse rows, or
 * the others.
 */
const INDEXES = `select i.relname as name, pg_get_indexdef(x.indexrelid) as index, pg_get_constraintdef(c.oid) as constraint
  from pg_index x join pg_class i on i.oid = x.indexrelid
  left join pg_constraint c on c.conindid = x.indexrelid and c.conrelid = x.indrelid
  where x.indrelid = format('read.%I', $1::text)::regclass and (x.indisunique or x.indisexclusion) = $2
  order by i.relname`;
/**
 * Settings of a replay. Commits do not wait for the disk, because whatever a crash loses is replayed; the switch
 * commits durably, including all commits before it. The memory setting lets a batch be sorted in memory.
 */
const SETTINGS = "set statement_timeout = 0; set synchronous_commit = off; set work_mem = '32MB'";

/**
 * Replays the log into new tables beside the live ones, which stay in use meanwhile, and then replaces them in one
 * transaction. It runs as rende_owner and triggers neither reactions nor hints.
 */
export class Rebuild {
  private readonly decoder: Decoder;
  /** Tenants for whom the projection is parked; their later events are not replayed. */
  private readonly parked = new Set<string>();

  constructor(
    private readonly config: Config,
    private readonly features: FeatureRegistry,
    codec: EventCodec,
    personalData: PersonalData,
  ) {
    this.decoder = { codec, personalData };
  }

  get names(): string[] {
    return this.features.all.projections.map(({ name }) => name);
  }

  /**
   * Rebuilds one projection. Returns how many events were read and for how many tenants the projection is parked. If
   * there are such tenants, the live tables are kept, unless `evenParked`: a restored database has no other rows.
   */
  async run(name: string, { evenParked = false } = {}): Promise<{ events: number; parked: number }> {
    const projection = this.features.all.projections.find((each) => each.name === name);
    if (!projection) throw new Error(`Não há projeção "${name}". Há: ${this.names.join(', ')}.`);
    if (!this.config.databaseOwnerUrl) throw new Error('Para reconstruir, informe DATABASE_OWNER_URL.');
    const pool = createPool(this.config.databaseOwnerUrl, {
      max: LANES,
      searchPath: `${SCHEMA},public,read`,
      applicationName: 'rende-rebuild',
    });
    const lanes = await Promise.all(Array.from({ length: LANES }, () => pool.connect()));
    const client = lanes[0]!;
    try {
      for (const lane of lanes) await lane.query(SETTINGS);
      const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [
        REBUILD_LOCK,
      ]);
      if (!rows[0]!.ours) throw new Error('Outra reconstrução está em andamento.');
      await client.query('select pg_advisory_lock($1, hashtext($2))', [BUILD_LOCK, name]);
      await this.prepare(client, projection);
      const read = (await this.fill(lanes, projection)) + (await this.catchUp(lanes, projection));
      const last = await this.takeOver(client, projection, evenParked);
      return { events: read + last.read, parked: last.parked };
    } finally {
      // Postgres notices a closed connection late, so without the unlock the next rebuild might find the lock held.
      await client.query('rollback; select pg_advisory_unlock_all()').catch(() => undefined);
      for (const lane of lanes) lane.release(true);
      await pool.end();
    }
  }

  /**
   * Empty tables with the live ones' columns, defaults, checks and unique indexes; columns without statistics stay without.
   * Tables left by an earlier rebuild are dropped. A further table records how far each tenant is replayed.
   */
  private async prepare(client: pg.ClientBase, projection: Projection): Promise<void> {
    this.parked.clear();
    await client.query('begin');
    await client.query(`drop schema if exists ${SCHEMA} cascade`);
    await client.query(`create schema ${SCHEMA}`);
    for (const table of projection.tables) {
      await client.query(
        `create table ${SCHEMA}.${table} (like read.${table} including all excluding indexes)`,
      );
      await nameIndexes(client, table, true);
      const { rows } = await client.query<{ statement: string }>(UNSAMPLED, [table]);
      for (const { statement } of rows) await client.query(statement);
    }
    await client.query(
      `create table ${SCHEMA}.rebuild_progress (tenant_id uuid primary key, position bigint not null, parked_error text)`,
    );
    await client.query('commit');
  }

  /** Replays until few enough events are left for the switch. Returns the number of events. */
  private async catchUp(lanes: readonly pg.ClientBase[], projection: Projection): Promise<number> {
    let read = 0;
    for (;;) {
      const behind = await lags(lanes[0]!, projection);
      if (eventsIn(behind) <= CLOSE_ENOUGH) return read;
      read += await this.replayAll(lanes, projection, behind, behind);
    }
  }

  /** Replays the current log. Indexes without constraints are created after the tables are filled, which is quicker. */
  private async fill(lanes: readonly pg.ClientBase[], projection: Projection): Promise<number> {
    const behind = await lags(lanes[0]!, projection);
    const due = await this.narrow(lanes[0]!, projection, behind);
    const read = await this.replayAll(lanes, projection, behind, due);
    for (const table of projection.tables) await nameIndexes(lanes[0]!, table, false);
    return read;
  }

  /** Replays those parts of the tenants' missing ranges that have events of the projection. */
  private async replayAll(
    lanes: readonly pg.ClientBase[],
    projection: Projection,
    behind: readonly Range[],
    due: readonly Range[],
  ): Promise<number> {
    await settleAll(
      lanes.map(async (client, lane) => {
        const own = due.filter((_range, index) => index % lanes.length === lane);
        for (const ranges of batches(own, projection)) await this.replay(client, projection, ranges);
      }),
    );
    const moved = behind.filter(({ tenantId }) => !this.parked.has(tenantId));
    await lanes[0]!.query(MOVE, [moved.map(({ tenantId }) => tenantId), moved.map(({ high }) => high)]);
    return eventsIn(behind);
  }

  /**
   * The parts of these ranges that contain events of the projection. Most projections have few, and reading the log
   * tenant by tenant takes far longer than one scan of the whole log.
   */
  private async narrow(
    client: pg.ClientBase,
    projection: Projection,
    ranges: readonly Range[],
  ): Promise<Range[]> {
    const types = [...projection.events, ...this.decoder.codec.typesThatForget];
    const { rows } = await client.query<{ tenant_id: string; first: number; last: number }>(OWN, [types]);
    const own = new Map(rows.map((row) => [row.tenant_id, row]));
    return ranges.flatMap(({ tenantId, low, high }) => {
      const { first = 0, last = 0 } = own.get(tenantId) ?? {};
      const part = { tenantId, low: Math.max(low, first - 1), high: Math.min(high, last) };
      return part.low < part.high ? [part] : [];
    });
  }

  /** Replays the last events and replaces the live tables, while live projecting is stopped. */
  private async takeOver(
    client: pg.ClientBase,
    projection: Projection,
    evenParked: boolean,
  ): Promise<{ read: number; parked: number }> {
    await client.query('begin; set local synchronous_commit = on');
    await client.query('select pg_advisory_xact_lock($1)', [SWITCH_LOCK]);
    const behind = await lags(client, projection);
    for (const ranges of batches(behind, projection)) await this.replayInside(client, projection, ranges);
    const read = eventsIn(behind);
    if (this.parked.size > 0 && !evenParked) {
      await client.query('rollback');
      await client.query(`drop schema ${SCHEMA} cascade`);
      return { read, parked: this.parked.size };
    }
    for (const table of projection.tables) {
      await client.query(`drop table read.${table}`);
      await client.query(`alter table ${SCHEMA}.${table} set schema read`);
      await client.query(`select prepare_read_table('read.${table}')`);
    }
    await client.query('delete from projection_checkpoint where projection = $1', [projection.name]);
    await client.query(STORE, [projection.name, projection.version]);
    const parked = await client.query(KEEP_PARKED, [projection.name, projection.version]);
    await client.query(`drop table ${SCHEMA}.rebuild_progress`);
    await client.query(`drop schema ${SCHEMA}`);
    await client.query('commit');
    return { read, parked: parked.rowCount ?? 0 };
  }

  private async replay(
    client: pg.ClientBase,
    projection: Projection,
    ranges: readonly Range[],
  ): Promise<void> {
    await client.query('begin');
    await this.replayInside(client, projection, ranges);
    await client.query('commit');
  }

  /** Parks a tenant whose log the projection cannot process, as live projecting would; the others are rebuilt. */
  private async replayInside(
    client: pg.ClientBase,
    projection: Projection,
    all: readonly Range[],
  ): Promise<void> {
    const ranges = all.filter(({ tenantId }) => !this.parked.has(tenantId));
    if (ranges.length === 0) return;
    await client.query('savepoint batch');
    try {
      await replay(client, projection, ranges, this.decoder);
      await client.query('release savepoint batch');
    } catch (error) {
      if (isPassing(error)) throw error;
      await client.query('rollback to savepoint batch');
      await client.query('release savepoint batch');
      if (ranges.length > 1) {
        for (const range of ranges) await this.replayInside(client, projection, [range]);
        return;
      }
      const { tenantId, low } = ranges[0]!;
      this.parked.add(tenantId);
      await client.query(PARK, [tenantId, low, whatFailed(error)]);
    }
  }
}

/**
 * Gives the new table the indexes and constraints of the live one, under their names: either those that can refuse
 * rows, or the others.
 */
async function nameIndexes(client: pg.ClientBase, table: string, refusing: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string; index: string; constraint: string | null }>(INDEXES, [
    ...[table, refusing],
  ]);
  for (const { name, index, constraint } of rows) {
    if (constraint)
      await client.query(`alter table ${SCHEMA}.${table} add constraint "${name}" ${constraint}`);
    else await client.query(index.replace(/ ON (ONLY )?read\./, ` ON ${SCHEMA}.`));
  }
}

async function lags(client: pg.ClientBase, { lane }: Projection): Promise<Range[]> {
  const { rows } = await client.query<{ tenant_id: string; low: number; high: number }>(LAGS, [lane]);
  return rows.map(({ tenant_id, low, high }) => ({ tenantId: tenant_id, low, high }));
}

const eventsIn = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { low, high }) => sum + high - low, 0);
