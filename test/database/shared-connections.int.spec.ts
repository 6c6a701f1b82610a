import { beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { Database } from '../../backend/platform/database/database.js';
import { statement } from '../../backend/platform/database/statement.js';
import { openTenant, startPlatform } from '../platform/platform.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let database: TestDatabase;
let reads: Database;
let tenants: string[];

beforeAll(async () => {
  database = await testDatabase();
  const app = await startPlatform(database);
  reads = app.get(Database);
  tenants = await Promise.all(Array.from({ length: 10 }, () => openTenant(app)));
});

const tenantOf = statement((db) => db.selectFrom('projection_checkpoint').select('tenant_id').compile());
const nonsense = statement((db) => sql`select 1 / 0`.compile(db));
const change = statement((db) => sql`update projection_checkpoint set position = 9`.compile(db));

const tenantsSeenBy = async (tenantId: string) => {
  const rows = await reads.read(tenantId, tenantOf({}));
  return rows.map(({ tenant_id }) => tenant_id);
};

const failed = (tenantId: string) =>
  reads.read(tenantId, nonsense({})).catch((error: Error) => error.message);

test('reads that share connections see one tenant each, whatever fails beside them', async () => {
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

test('a tenant is forgotten with its read', async () => {
  await Promise.all(tenants.map(tenantsSeenBy));
  const left = await Promise.all(
    tenants.map(() =>
      reads.lookUp<{ tenant: string }>(`select current_setting('app.tenant', true) as tenant`, []),
    ),
  );
  expect(new Set(left.flat().map(({ tenant }) => tenant))).toEqual(new Set(['']));
});

test('a read writes nothing', async () => {
  await expect(reads.read(tenants[0]!, change({}))).rejects.toThrow('read-only transaction');
});

test('whoever stands still in a transaction is ended, and a database that says nothing is given up', async () => {
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

test('connections that broke are opened again', async () => {
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
