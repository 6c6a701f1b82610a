import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { Config } from '../config/env.js';
import { Problem } from '../http/problem.js';
import { Readiness } from '../ops/readiness.js';
import { runBatch, type Statement } from './batch.js';
import { createPool, newClient, prepared } from './pools.js';
import { SharedConnections } from './shared-connections.js';
import { TenantQueue } from './tenant-queue.js';

/** Runs one statement, prepared, on a connection of the pool or inside the caller's transaction. */
export type Query = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

/** Both settings end with the transaction. */
const SET_TENANT =
  "select set_config('app.tenant', $1, true), set_config('transaction_read_only', 'on', true)";

/** Connections that all reads share. Statements that may take longer than a look-up of a few rows run as reports. */
const SHARED_CONNECTIONS = 4;
const READ_STATEMENT_MS = 2_000;
/** One less than the shared connections, so that a tenant with slow reads leaves one to the others. */
const READS_AT_ONCE = SHARED_CONNECTIONS - 1;
/** Reports, searches and exports. */
const REPORT_CONNECTIONS = 3;
const REPORT_STATEMENT_MS = 5_000;
const QUERY_CANCELED = '57014';
/** Of commands and of batches of projections; building guards of a long log takes longest. */
export const TRANSACTION_MS = 120_000;

/** The application's connections: role rende_app, which owns nothing and sees one tenant per transaction. */
@Injectable()
export class Database implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly pool: pg.Pool;
  /** Separate connections, so that slow reports delay neither other reads nor commands. */
  readonly reports: pg.Pool;
  private readonly shared: SharedConnections;
  private readonly reconnected: (() => void)[] = [];
  private readonly reading = new TenantQueue({ atOnce: READS_AT_ONCE, maxWaiting: 1_000, maxWaitMs: 10_000 });
  private readonly reporting = new TenantQueue({ atOnce: 1, maxWaiting: 50, maxWaitMs: 10_000 });

  constructor(
    config: Config,
    private readonly readiness: Readiness,
  ) {
    const settings = { searchPath: 'public,read', applicationName: 'rende-app', answerWithinMs: 10_000 };
    this.pool = createPool(config.databaseUrl, { ...settings, max: 12, transactionMs: TRANSACTION_MS });
    this.reports = createPool(config.databaseUrl, {
      ...settings,
      applicationName: 'rende-reports',
      max: REPORT_CONNECTIONS,
      statementMs: REPORT_STATEMENT_MS,
    });
    const reads = { ...settings, statementMs: READ_STATEMENT_MS };
    const connect = () => newClient(config.databaseUrl, reads);
    this.shared = new SharedConnections(connect, SHARED_CONNECTIONS, () => {
      for (const listener of this.reconnected) listener();
    });
  }

  /**
   * Calls the listener when a connection of reads is lost or opened: after a crash, or on another server that has become the
   * primary, the last batches of projections may be missing, since they are committed without waiting for the disk.
   */
  onReconnect(listener: () => void): void {
    this.reconnected.push(listener);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.readiness.register('database', async () => void (await this.pool.query('select 1')));
    await refusePrivilegedRole(this.pool, 'DATABASE_URL');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shared.end();
    await Promise.all([this.pool.end(), this.reports.end()]);
  }

  /**
   * Rows of one statement, under row security for the tenant: for reads of a few rows by an index. Each tenant may use a
   * limited number of connections at once; further reads wait.
   */
  async read<Row>(tenantId: string, query: CompiledQuery<Row>): Promise<Row[]> {
    const [, rows] = await this.reading.run(tenantId, () => this.shared.send(inSight(tenantId, query)));
    return rows as Row[];
  }

  /**
   * The same for statements that may take long: a search, a report, an export. They have separate connections, and
   * run one at a time for each tenant.
   * @throws Problem `too_slow` after five seconds
   */
  async report<Row>(tenantId: string, query: CompiledQuery<Row>): Promise<Row[]> {
    const [, rows] = await this.reporting.run(tenantId, async () => {
      const client = await this.reports.connect();
      try {
        const answers = await runBatch(client, inSight(tenantId, query));
        client.release();
        return answers;
      } catch (error) {
        const isAnswer = error instanceof pg.DatabaseError;
        client.release(!isAnswer);
        throw isAnswer && error.code === QUERY_CANCELED ? new Problem('too_slow', { cause: error }) : error;
      }
    });
    return rows as Row[];
  }

  /**
   * Rows of one statement under row security. For callers who have only a link or a slug: the statement `see` sets the
   * tenant. Requests with the same `key` share one limit, as those of a tenant do.
   */
  async readAfter<Row>(key: string, see: Statement, { sql, parameters }: CompiledQuery<Row>): Promise<Row[]> {
    const statements = [see, { text: sql, values: [...parameters] }];
    const [, rows] = await this.reading.run(key, () => this.shared.send(statements));
    return rows as Row[];
  }

  /** Rows of one read that belongs to no tenant. */
  async lookUp<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const [rows] = await this.shared.send([{ text, values }]);
    return rows as Row[];
  }

  /** Runs one statement that belongs to no tenant. */
  readonly query: Query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await this.pool.query<Row>(prepared(text, values))).rows;

  /** Runs several statements that belong to no tenant in one transaction. */
  async transact<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      const result = await work(
        async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
          (await client.query<Row>(prepared(text, values))).rows,
      );
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      await abandon(client);
      throw error;
    }
  }
}

function inSight(tenantId: string, { sql, parameters }: CompiledQuery): Statement[] {
  return [
    { text: SET_TENANT, values: [tenantId] },
    { text: sql, values: [...parameters] },
  ];
}

/** Waits for all promises before it throws the first failure, so that no rejection is left unhandled. */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** Rolls back and returns the connection to the pool, or closes it if the rollback fails. */
export async function abandon(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** @throws if the role can bypass row security */
export async function refusePrivilegedRole(pool: pg.Pool, variable: string): Promise<void> {
  const { rows } = await pool.query<{ privileged: boolean }>(
    `select r.rolsuper or r.rolbypassrls or pg_has_role(current_user, 'rende_owner', 'member') as privileged
     from pg_roles r where r.rolname = current_user`,
  );
  if (rows[0]?.privileged) {
    throw new Error(
      `${variable} aponta para um papel que passa por cima do isolamento (superusuário, dono ou BYPASSRLS). Use o papel criado por "npm run db:roles".`,
    );
  }
}
