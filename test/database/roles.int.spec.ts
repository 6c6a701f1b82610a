import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type pg from 'pg';
import { connect, testDatabase } from '../support/database.js';

const clients: Record<string, pg.Client> = {};

const database = await testDatabase();

for (const [name, address] of Object.entries(database.environment)) {
  clients[name] = await connect(address);
}

test.each(['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_PROJECTOR_URL'])(
  '%s is no superuser and cannot bypass row-level security',
  async (name) => {
    const { rows } = await clients[name]!.query(
      'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
    );
    expect(rows).toEqual([
      { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false },
    ]);
  },
);

test.each(['DATABASE_URL', 'DATABASE_PROJECTOR_URL'])('%s cannot create objects', async (name) => {
  await expect(clients[name]!.query('create table public.t ()')).rejects.toThrow('permission denied');
  await expect(clients[name]!.query('create temporary table t ()')).rejects.toThrow('permission denied');
  await expect(clients[name]!.query('create schema s')).rejects.toThrow('permission denied');
});

test.each(['DATABASE_URL', 'DATABASE_PROJECTOR_URL'])(
  "%s can use BullMQ's tables, but cannot create any",
  async (name) => {
    await expect(clients[name]!.query('select count(*) from bullmq.job')).resolves.toBeDefined();
    await expect(clients[name]!.query('create table bullmq.t ()')).rejects.toThrow('permission denied');
  },
);

test('no policy shows the planner whose rows are asked for', async () => {
  const settings = String.raw`\(NULLIF\(current_setting\('app\.\w+'::text, true\), ''::text\)\)::uuid`;
  const policies = await database.query<{ table: string; without: string }>(
    `select format('%s.%s', schemaname, tablename) as table, regexp_replace(qual, $1, '', 'g') as without
     from pg_policies where qual like '%current_setting%'`,
    [`SELECT ${settings}`],
  );
  expect(policies.length).toBeGreaterThan(100);
  expect(policies.filter(({ without }) => without.includes('current_setting'))).toEqual([]);
});

test('a plan that is kept after it was made for a tenant without rows is right for one with many', async () => {
  const [empty, large] = [randomUUID(), randomUUID()];
  await database.query(
    `insert into read.seal_mails select tenant, gen_random_uuid(), '2026-01-01'::timestamptz + n * interval '1 minute'
     from generate_series(1, 3000) n, lateral (values ($1::uuid), (md5((n % 50)::text)::uuid)) tenants(tenant)`,
    [large],
  );
  await database.query('analyze read.seal_mails');
  const client = await connect(database.environment.DATABASE_URL);
  const sees = (tenant: string) => client.query(`select set_config('app.tenant', $1, false)`, [tenant]);
  await sees(empty);
  await client.query(`prepare pairs(timestamptz) as select count(*) from read.seal_mails a
    join read.seal_mails b on b.tenant_id = a.tenant_id and b.desde = a.desde where a.desde > $1`);
  for (let time = 1; time <= 6; time += 1) await client.query(`execute pairs('2026-01-01')`);
  await sees(large);
  const kept = await client.query(
    `select generic_plans::int from pg_prepared_statements where name = 'pairs'`,
  );
  expect(kept.rows).toEqual([{ generic_plans: 1 }]);
  const { rows } = await client.query<Record<string, string>>(`explain execute pairs('2026-01-01')`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  // A plan for no rows would read all of the tenant's for each of them, in a nested loop.
  expect(plan).toMatch(/Hash Join|Merge Join/);
  expect(plan.match(/Index Cond: \(tenant_id = /g)).toHaveLength(2);
});
