import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { abandon } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { EventCodec, type EventRow } from '../event-store/event-codec.js';
import { PersonalData } from '../event-store/personal-data.js';
import { FeatureRegistry } from '../features.js';
import { Metrics } from '../ops/metrics.js';
import { decodeAll, type Decoder } from './keys.js';
import type { Projection } from './projection.js';
import { isPassing } from './projection-failure.js';
import { apply, SWITCH_LOCK } from './projector.js';
import { ProjectorPool } from './projector-pool.js';

const PARKED = `select tenant_id, projection from projection_checkpoint where parked_error is not null
  order by parked_at limit 1000`;
const CLAIM = `select projection, position from projection_checkpoint
  where tenant_id = $1 and projection in ('live', $2) for update skip locked`;
const READ = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at
  from events where tenant_id = $1 and position > $2 and position <= $3 order by position limit 500`;

/** Projections that met a poisoned event: each waits for its tenant alone and goes on once it can. */
@Injectable()
export class ParkedProjections {
  private readonly logger = new Logger(ParkedProjections.name);
  private readonly decoder: Decoder;

  constructor(
    private readonly projectorPool: ProjectorPool,
    codec: EventCodec,
    personalData: PersonalData,
    private readonly features: FeatureRegistry,
    private readonly metrics: Metrics,
  ) {
    this.decoder = { codec, personalData };
  }

  /** Tries every parked projection again; those that reach the live position join it. */
  async resumeAll(): Promise<void> {
    const { rows } = await this.projectorPool.pool.query<{ tenant_id: string; projection: string }>(PARKED);
    let left = rows.length;
    for (const { tenant_id, projection } of rows) {
      if (await this.resume(tenant_id, projection)) left -= 1;
    }
    this.metrics.projectionsParked.set(left);
  }

  private async resume(tenantId: string, name: string): Promise<boolean> {
    const projection = this.features.all.projections.find((each) => each.name === name);
    const client = await this.projectorPool.pool.connect();
    try {
      for (;;) {
        const caughtUp = await this.step(client, tenantId, name, projection);
        if (caughtUp === undefined) continue;
        client.release();
        if (caughtUp) this.logger.log({ msg: 'parked projection resumed', projection: name, tenantId });
        return caughtUp;
      }
    } catch (error) {
      await abandon(client);
      if (isPassing(error)) throw error;
      return false;
    }
  }

  /** One transaction: true when it joined the live ones, false when another worker holds it, undefined to go on. */
  private async step(
    client: pg.PoolClient,
    tenantId: string,
    name: string,
    projection: Projection | undefined,
  ): Promise<boolean | undefined> {
    await client.query('begin');
    await client.query(prepared('select pg_advisory_xact_lock_shared($1)', [SWITCH_LOCK]));
    const claimed = await client.query<{ projection: string; position: number }>(
      prepared(CLAIM, [tenantId, name]),
    );
    const live = claimed.rows.find((row) => row.projection === 'live');
    const own = claimed.rows.find((row) => row.projection === name);
    if (!live || !own) {
      await client.query('rollback');
      return false;
    }
    const { rows } = await client.query<EventRow>(prepared(READ, [tenantId, own.position, live.position]));
    const high = rows.at(-1)?.position ?? live.position;
    if (projection && rows.length > 0) {
      const types = [...projection.events, ...this.decoder.codec.forgetting];
      const wanted = rows.filter(({ type }) => types.includes(type));
      const events = await decodeAll(client, wanted, this.decoder);
      await apply(client, projection, [{ tenantId, low: own.position, high }], events, this.decoder);
    }
    const done = projection === undefined || high >= live.position;
    await client.query(
      done
        ? prepared('delete from projection_checkpoint where tenant_id = $1 and projection = $2', [
            tenantId,
            name,
          ])
        : prepared(
            'update projection_checkpoint set position = $3 where tenant_id = $1 and projection = $2',
            [tenantId, name, high],
          ),
    );
    await client.query('commit');
    return done ? true : undefined;
  }
}
