import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { Config } from '../config/env.js';
import { abandon, refusePrivilegedRole, TRANSACTION_MS } from '../database/database.js';
import { createPool } from '../database/pools.js';

/** The worker's connections: role rende_projector, which reads the log of every tenant and writes read tables only. */
@Injectable()
export class ProjectorPool implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly pool: pg.Pool;

  constructor(config: Config) {
    this.pool = createPool(config.databaseProjectorUrl!, {
      max: 4,
      searchPath: 'public,read',
      transactionMs: TRANSACTION_MS,
      statementMs: 30_000,
      answerWithinMs: TRANSACTION_MS,
      applicationName: 'rende-projector',
      // Its statements join arrays of varying length. Postgres would plan them again each time, which takes longer than
      // running them.
      session: { plan_cache_mode: 'force_generic_plan' },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await refusePrivilegedRole(this.pool, 'DATABASE_PROJECTOR_URL');
  }

  async transact<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      await abandon(client);
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
