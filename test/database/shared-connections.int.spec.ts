import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type pg from 'pg';
import { Database } from '../../backend/platform/database/database.js';
import { type Blanks, statement } from '../../backend/platform/database/statement.js';
import { ProjectorPool } from '../../backend/platform/projections/projector-pool.js';
import { openTenant, startPlatform } from '../platform/platform.js';
import { connect, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const database = await testDatabase();
const app = await startPlatform(database);
const reads = app.get(Database);
const tenants = await Promise.all(Array.from({ length: 10 }, () => openTenant(app)));

const tenantOf = statement((db) =>
  db.selectFrom('projection_checkpoint').select('tenant_id').where('projection', '=', 'shared').compile(),
);
const nonsense = statement((db) => sql`select 1 / 0`.compile(db));
const change = statement((db) => sql`update projection_checkpoint set position = 9`.compile(db));

const tenantsSeenBy = async (tenantId: string) => {
  const rows = await reads.read(tenantId, tenantOf({}));
  return rows.map(({ tenant_id }) => tenant_id);
};

const failed = (tenantId: string) =>
  reads.read(tenantId, nonsense({})).catch((error: Error) => error.message);

test('reads on shared connections see only their own tenant, also if others fail', async () => {
  const asked = Array.from({ length: 400 }, (_, n) => tenants[n % tenants.length]!);
  const answers = await Promise.all(
    asked.map(async (tenantId, n) => {
      if (n % 7 === 0) return failed(tenantId);
      if (n % 5 === 0) return reads.lookUp('select tenant_id from projection_checkpoint', []);
      return tenantsSeenBy(tenantId);
    }),
  );
  expect(answers).toEqual(
    asked.map((tenantId, n) => (n % 7 === 0 ? 'division by zero' : n % 5 === 0 ? [] : [tenantId])),
  );
});

const held = statement((db, { key }: Blanks<{ key: number }>) =>
  sql`select pg_advisory_lock_shared(${key}::int)`.compile(db),
);

/** Makes reads of `held` with this key wait until the returned function is called. */
async function holdBack(key: number): Promise<() => Promise<unknown>> {
  const holder = await connect(database.environment.DATABASE_OWNER_URL);
  await holder.query('select pg_advisory_lock($1)', [key]);
  return () => holder.query('select pg_advisory_unlock($1)', [key]);
}

/** Counts only this database: other test files' statements wait on the same server. */
const waiters = async () =>
  Number(
    (
      await database.query<{ n: number }>(
        `select count(*)::int as n from pg_locks where not granted and locktype = 'advisory'
           and database = (select oid from pg_database where datname = current_database())`,
      )
    )[0]!.n,
  );

/** Sends them in separate turns of the event loop, because requests of one turn share a connection. */
async function inTurns<Result>(count: number, ask: () => Promise<Result>): Promise<Promise<Result>[]> {
  const asked: Promise<Result>[] = [];
  while (asked.length < count) {
    asked.push(ask());
    await nextTurn();
  }
  return asked;
}

const codeOf = (error: unknown) => (error as { code: string }).code;

test('further reads of a tenant wait once it uses its share, and others are answered', async () => {
  const [busy, quiet] = tenants as [string, string];
  const release = await holdBack(1);
  let answered = 0;
  const flood = await inTurns(20, () =>
    reads.read(busy, held({ key: 1 })).then(() => (answered += 1), codeOf),
  );
  // Three of four connections are in use.
  await eventually(waiters, 3);

  expect(await tenantsSeenBy(quiet)).toEqual([quiet]);
  expect(answered).toBe(0);

  await release();
  await Promise.all(flood);
});

test('slow reports delay no read, and end after five seconds with their own error', async () => {
  const release = await holdBack(3);
  const reports = tenants
    .slice(0, 3)
    .map((tenantId) => reads.report(tenantId, held({ key: 3 })).catch(codeOf));
  await eventually(waiters, 3);
  for (const tenantId of tenants) expect(await tenantsSeenBy(tenantId)).toEqual([tenantId]);
  expect(await Promise.all(reports)).toEqual(['too_slow', 'too_slow', 'too_slow']);
  await release();
  expect(await reads.report(tenants[0]!, tenantOf({}))).toEqual([{ tenant_id: tenants[0] }]);
});

test('a tenant has one report at a time, and reports of other tenants run beside it', async () => {
  const [busy, quiet] = tenants as [string, string];
  const release = await holdBack(5);
  const reports = await inTurns(2, () => reads.report(busy, held({ key: 5 })).catch(codeOf));

  expect(await reads.report(quiet, tenantOf({}))).toEqual([{ tenant_id: quiet }]);
  await eventually(waiters, 1);

  await release();
  await Promise.all(reports);
});

test('reads avoid a connection with a slow statement, which ends within two seconds', async () => {
  const [slow, quick] = tenants as [string, string];
  const release = await holdBack(4);
  let outcome = 'not answered';
  const ended = reads.read(slow, held({ key: 4 })).catch((error: unknown) => (outcome = codeOf(error)));
  await eventually(waiters, 1);
  const since = performance.now();
  while (performance.now() - since < 150) await tenantsSeenBy(quick);

  const others = await inTurns(40, () => reads.lookUp('select 1', []));
  await Promise.all(others);

  expect(outcome).toBe('not answered');
  await ended;
  expect(outcome).toBe('57014');
  await release();
});

test('the tenant of a connection is reset after each read', async () => {
  await Promise.all(tenants.map(tenantsSeenBy));
  const left = await Promise.all(
    tenants.map(() =>
      reads.lookUp<{ tenant: string }>(`select current_setting('app.tenant', true) as tenant`, []),
    ),
  );
  expect(new Set(left.flat().map(({ tenant }) => tenant))).toEqual(new Set(['']));
});

test('a read cannot write', async () => {
  await expect(reads.read(tenants[0]!, change({}))).rejects.toThrow('read-only transaction');
});

test('an idle transaction is ended, and a database that does not answer is given up', async () => {
  const { rows } = await reads.pool.query(
    `select name, setting from pg_settings
     where name in ('idle_in_transaction_session_timeout', 'statement_timeout') order by name`,
  );
  expect(rows).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '15000' },
    { name: 'statement_timeout', setting: '8000' },
  ]);
  expect(reads.pool.options.query_timeout).toBe(10_000);
});

test('broken connections are opened again', async () => {
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'rende-app'`,
  );
  const read = () => Promise.all(tenants.map(tenantsSeenBy)).catch((error: Error) => error.message);
  await eventually(
    read,
    tenants.map((tenantId) => [tenantId]),
  );
});

test('the duration of a transaction is limited if Postgres supports it', async () => {
  const [{ version }] = (await database.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )) as [{ version: number }];
  const limitOf = async (pool: pg.Pool) =>
    (await pool.query<{ limit: string }>("select current_setting('transaction_timeout', true) as limit"))
      .rows[0]!.limit;
  const limits = [await limitOf(reads.pool), await limitOf(app.get(ProjectorPool).pool)];
  expect(limits).toEqual(version >= 170_000 ? ['2min', '2min'] : [null, null]);
});
