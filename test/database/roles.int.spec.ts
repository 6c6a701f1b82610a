import { expect, test } from '@jest/globals';
import type pg from 'pg';
import { connect, testDatabase } from '../support/database.js';

const clients: Record<string, pg.Client> = {};

for (const [name, address] of Object.entries((await testDatabase()).environment)) {
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
