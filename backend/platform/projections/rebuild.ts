import type pg from 'pg';
import type { Config } from '../config/env.js';
import { settleAll } from '../database/database.js';
import { createPool, prepared } from '../database/pools.js';
import type { EventCodec } from '../event-store/event-codec.js';
import type { PersonalData } from '../event-store/personal-data.js';
import type { FeatureRegistry } from '../features.js';
import type { Decoder } from './keys.js';
import { BUILD_LOCK } from './projection-builds.js';
import type { Projection, Range } from './projection.js';
import { isPassing, whatFailed } from './projection-failure.js';
import { SWITCH_LOCK } from './projector.js';
import { batches, replay } from './replay.js';

const SCHEMA = 'rebuild';
/** Only one rebuild at a time. */
const REBUILD_LOCK = 7_263_002;
/** So many connections replay at once, each some of the tenants. */
const LANES = 2;
/** Fewer events behind than this and the switch may begin: the live ones wait for no longer than they take. */
const CLOSE_ENOUGH = 2_000;

const UNSAMPLED = `select format('alter table ${SCHEMA}.%I alter %I set statistics 0', $1::text, attname) as statement
  from pg_attribute where attrelid = format('read.%I', $1::text)::regclass and attnum > 0 and attstattarget = 0
    and not attisdropped`;
/** Up to the lane's position and no further: what comes after it is projected into the new tables too. */
const LAGS = `select l.tenant_id, coalesce(p.position, 0) as low, l.position as high
  from projection_checkpoint l left join rebuild_progress p using (tenant_id)
  where l.projection = $1 and l.position > coalesce(p.position, 0) and p.parked_error is null order by l.tenant_id`;
const MOVE = `insert into rebuild_progress as p (tenant_id, position) select * from unnest($1::uuid[], $2::bigint[])
  on conflict (tenant_id) do update set position = excluded.position`;
const PARK = `insert into rebuild_progress as p (tenant_id, position, parked_error) values ($1, $2, $3)
  on conflict (tenant_id) do update set parked_error = excluded.parked_error`;
const KEEP_PARKED = `insert into projection_checkpoint (tenant_id, projection, position, version, parked_error, parked_at)
  select tenant_id, $1, position, $2, parked_error, now() from rebuild_progress where parked_error is not null`;

const STORE = `insert into projection_version as v (projection, version) values ($1, $2)
  on conflict (projection) do update set version = excluded.version`;
/** Indexes and constraints but checks, which `like` copies with their names. */
const INDEXES = `select i.relname as name, pg_get_indexdef(x.indexrelid) as index, pg_get_constraintdef(c.oid) as constraint
  from pg_index x join pg_class i on i.oid = x.indexrelid
  left join pg_constraint c on c.conindid = x.indexrelid and c.conrelid = x.indrelid
  where x.indrelid = format('read.%I', $1::text)::regclass order by i.relname`;

/**
 * Replays the log into new tables beside the live ones, which serve meanwhile, and then puts them in their place in
 * one transaction. Runs as rende_owner; reactors and hints are not part of it.
 */
export class Rebuild {
  private readonly decoder: Decoder;
  /** Tenants that are parked: what comes after the event that could not be taken is not taken either. */
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
   * Rebuilds one projection. Answers how many events were read and for how many tenants it is parked. Where there are any,
   * the live tables stay, unless `evenParked`: a restored database has no other rows.
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
      for (const lane of lanes) await lane.query('set statement_timeout = 0');
      const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [
        REBUILD_LOCK,
      ]);
      if (!rows[0]!.ours) throw new Error('Outra reconstrução está em andamento.');
      await client.query('select pg_advisory_lock($1, hashtext($2))', [BUILD_LOCK, name]);
      await this.prepare(client, projection);
      const read = await this.catchUp(lanes, projection);
      const last = await this.takeOver(client, projection, evenParked);
      return { events: read + last.read, parked: last.parked };
    } finally {
      // Postgres notices a closed connection late: the next rebuild must not find the lock of this one.
      await client.query('rollback; select pg_advisory_unlock_all()').catch(() => undefined);
      for (const lane of lanes) lane.release(true);
      await pool.end();
    }
  }

  /**
   * Empty tables with the live ones' columns, defaults, checks and indexes; columns without statistics stay without.
   * What an earlier rebuild left is dropped. How far each tenant is replayed is noted beside them from its first batch on.
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
      await nameIndexes(client, table);
      const { rows } = await client.query<{ statement: string }>(UNSAMPLED, [table]);
      for (const { statement } of rows) await client.query(statement);
    }
    await client.query(
      `create table ${SCHEMA}.rebuild_progress (tenant_id uuid primary key, position bigint not null, parked_error text)`,
    );
    await client.query('commit');
  }

  private async catchUp(lanes: readonly pg.ClientBase[], projection: Projection): Promise<number> {
    let read = 0;
    for (;;) {
      const behind = await lags(lanes[0]!, projection);
      const events = behind.reduce((sum, { low, high }) => sum + high - low, 0);
      if (events <= CLOSE_ENOUGH) return read;
      await settleAll(
        lanes.map(async (client, lane) => {
          const own = behind.filter((_range, index) => index % lanes.length === lane);
          for (const ranges of batches(own, projection)) {
            const replayed = await this.replay(client, projection, ranges);
            read += replayed;
          }
        }),
      );
    }
  }

  /** Live projecting stands still while the last events are replayed and the tables change places. */
  private async takeOver(
    client: pg.ClientBase,
    projection: Projection,
    evenParked: boolean,
  ): Promise<{ read: number; parked: number }> {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [SWITCH_LOCK]);
    let read = 0;
    for (const ranges of batches(await lags(client, projection), projection)) {
      read += await this.replayInside(client, projection, ranges);
    }
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
  ): Promise<number> {
    await client.query('begin');
    const read = await this.replayInside(client, projection, ranges);
    await client.query('commit');
    return read;
  }

  /** A tenant whose log the projection cannot read is parked, as it would be live; the others are rebuilt. */
  private async replayInside(
    client: pg.ClientBase,
    projection: Projection,
    all: readonly Range[],
  ): Promise<number> {
    const ranges = all.filter(({ tenantId }) => !this.parked.has(tenantId));
    if (ranges.length === 0) return 0;
    await client.query('savepoint batch');
    try {
      const read = await this.replayRanges(client, projection, ranges);
      await client.query('release savepoint batch');
      return read;
    } catch (error) {
      if (isPassing(error)) throw error;
      await client.query('rollback to savepoint batch');
      await client.query('release savepoint batch');
      if (ranges.length > 1) {
        let read = 0;
        for (const range of ranges) read += await this.replayInside(client, projection, [range]);
        return read;
      }
      const { tenantId, low } = ranges[0]!;
      this.parked.add(tenantId);
      await client.query(PARK, [tenantId, low, whatFailed(error)]);
      return 0;
    }
  }

  private async replayRanges(
    client: pg.ClientBase,
    projection: Projection,
    ranges: readonly Range[],
  ): Promise<number> {
    const tenants = ranges.map(({ tenantId }) => tenantId);
    const high = ranges.map((range) => range.high);
    await replay(client, projection, ranges, this.decoder);
    await client.query(prepared(MOVE, [tenants, high]));
    return ranges.reduce((sum, range) => sum + range.high - range.low, 0);
  }
}

/** Gives the new table the indexes and constraints of the live one, under their names. */
async function nameIndexes(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string; index: string; constraint: string | null }>(INDEXES, [
    table,
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
