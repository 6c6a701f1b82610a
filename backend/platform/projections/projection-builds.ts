import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { settleAll } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { EventCodec } from '../event-store/event-codec.js';
import { GuardBuilds } from '../event-store/guard-builds.js';
import { PersonalData } from '../event-store/personal-data.js';
import { FeatureRegistry } from '../features.js';
import { Metrics } from '../ops/metrics.js';
import { HintBus } from '../realtime/hint-bus.js';
import { SHARED } from './claim.js';
import { ProjectionBuilder } from './projection-builder.js';
import { ProjectorPool } from './projector-pool.js';

const PARKED = 'select count(*)::int as parked from projection_checkpoint where parked_error is not null';
const BEHIND = `select projection, count(*)::int as tenants from projection_checkpoint
  where projection <> '${SHARED}' group by projection`;

const logger = new Logger('ProjectionBuilds');

/** What the worker builds from the log beside live projecting. */
@Injectable()
export class ProjectionBuilds extends ProjectionBuilder {
  constructor(
    projectorPool: ProjectorPool,
    codec: EventCodec,
    personalData: PersonalData,
    features: FeatureRegistry,
    hints: HintBus,
    private readonly metrics: Metrics,
    private readonly guards: GuardBuilds,
  ) {
    super(projectorPool, features, { codec, personalData }, ({ name, topic }, joined) => {
      logger.log({ msg: 'projection live again', projection: name, tenants: joined.length });
      const told = { topics: new Set([topic]), students: new Map(), changesLive: true };
      hints.projected(joined.map((each) => ({ ...each, ...told })));
    });
  }

  /** Builds projections and guards that are not built yet. */
  async buildAll(): Promise<void> {
    const ask = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> =>
      (await this.projectorPool.pool.query<Row>(prepared(text, values))).rows;
    const projections = async () => {
      await this.register();
      await this.build(false);
    };
    await settleAll([projections(), this.guards.buildAll(ask)]);
  }

  /** Tries every parked projection again. */
  async resumeAll(): Promise<void> {
    await this.build(true);
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
