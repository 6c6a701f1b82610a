import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { Config } from '../config/env.js';
import { Readiness } from '../ops/readiness.js';
import { createPool, prepared } from './pools.js';
import type { DB } from './schema.generated.js';

/** Runs one statement, prepared, on a connection of the pool or inside somebody's transaction. */
export type Query = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

const SET_TENANT = "select set_config('app.tenant', $1, true)";

/** The application's connections: role rende_app, which owns nothing and sees one tenant per transaction. */
@Injectable()
export class Database implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly pool: pg.Pool;
  private readonly byClient = new WeakMap<pg.PoolClient, Kysely<DB>>();

  constructor(
    config: Config,
    private readonly readiness: Readiness,
  ) {
    this.pool = createPool(config.databaseUrl, {
      max: 12,
      searchPath: 'public,read',
      applicationName: 'rende-app',
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.readiness.register('database', async () => void (await this.pool.query('select 1')));
    await refusePrivilegedRole(this.pool, 'DATABASE_URL');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** Reads in one tenant's sight: `begin`, the tenant and the first statement travel together. */
  async read<Result>(tenantId: string, query: (db: Kysely<DB>) => Promise<Result>): Promise<Result> {
    return this.transaction('begin read only', query, tenantId);
  }

  /** For what has no tenant: accounts, and the functions that lead to a tenant. Every table with a tenant looks empty. */
  async withoutTenant<Result>(work: (db: Kysely<DB>) => Promise<Result>): Promise<Result> {
    return this.transaction('begin', work);
  }

  /** One statement by itself, for what has no tenant. */
  readonly query: Query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await this.pool.query<Row>(prepared(text, values))).rows;

  /** Several statements, all or none of them, for what has no tenant. */
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

  /** Kysely over one connection, its statements prepared. */
  over(client: pg.PoolClient): Kysely<DB> {
    let db = this.byClient.get(client);
    if (!db) {
      const connection = {
        query: (text: string, values: readonly unknown[]) => client.query(prepared(text, [...values])),
        release: () => undefined,
      };
      db = new Kysely<DB>({
        dialect: new PostgresDialect({
          pool: { connect: () => Promise.resolve(connection as never), end: () => Promise.resolve() },
        }),
      });
      this.byClient.set(client, db);
    }
    return db;
  }

  private async transaction<Result>(
    begin: string,
    work: (db: Kysely<DB>) => Promise<Result>,
    tenantId?: string,
  ): Promise<Result> {
    const client = await this.pool.connect();
    try {
      const opening: Promise<unknown>[] = [client.query(begin)];
      if (tenantId !== undefined) opening.push(client.query(prepared(SET_TENANT, [tenantId])));
      const [result] = await settleAll([work(this.over(client)), ...opening]);
      await client.query('commit');
      client.release();
      return result as Result;
    } catch (error) {
      await abandon(client);
      throw error;
    }
  }
}

/** Waits for all, then throws the first failure: nothing that travelled together is left unheard. */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** Rolls back and hands the connection back, or drops it where even that fails. */
export async function abandon(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** The server must not run with rights that pass row security by. */
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
