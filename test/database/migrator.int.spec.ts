import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { migrate, refuseOtherSchema } from '../../backend/platform/database/migrator.js';
import { connect, createDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let folder: string;
let owner: string;

beforeEach(async () => {
  database = await createDatabase();
  await database.query('delete from schema_migrations');
  owner = database.environment.DATABASE_OWNER_URL;
  folder = await mkdtemp(path.join(tmpdir(), 'rende-migrations-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, sql: string) => writeFile(path.join(folder, name), sql);

test('applies new files in the order of their names, once', async () => {
  await write('0002-b.sql', 'insert into t values (2);');
  await write('0001-a.sql', 'create table t (n integer); insert into t values (1);');
  expect(await migrate(owner, folder)).toEqual(['0001-a.sql', '0002-b.sql']);
  await write('0003-c.sql', 'insert into t values (3);');
  expect(await migrate(owner, folder)).toEqual(['0003-c.sql']);
  expect(await migrate(owner, folder)).toEqual([]);
  expect(await database.query('select n from t')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('concurrent runs apply each file once', async () => {
  await write('0001-a.sql', 'create table t (n integer); insert into t values (1);');
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(owner, folder)));
  expect(applied.flat()).toEqual(['0001-a.sql']);
});

test('a file that fails changes nothing, and its error names the line', async () => {
  await write('0001-a.sql', 'create table t (n integer);');
  await write('0002-b.sql', 'insert into t values (1);\ninsert into missing values (1);');
  await expect(migrate(owner, folder)).rejects.toThrow(/0002-b\.sql falhou na linha 2: .*missing/);
  expect(await database.query('select n from t')).toEqual([]);
  expect(await database.query('select name from schema_migrations')).toEqual([{ name: '0001-a.sql' }]);
});

test('refuses an applied file that changed, or that this version does not know', async () => {
  await write('0001-a.sql', 'create table t (n integer);');
  await migrate(owner, folder);
  await write('0001-a.sql', 'create table t (n bigint);');
  await expect(migrate(owner, folder)).rejects.toThrow('0001-a.sql mudou depois de aplicada');
  await rm(path.join(folder, '0001-a.sql'));
  await expect(migrate(owner, folder)).rejects.toThrow('0001-a.sql, que esta versão não conhece');
});

test('an older version runs on a database with a newer additive migration, and refuses any other', async () => {
  await write('0001-a.sql', 'create table t (n integer);');
  await write('0002-b.additive.sql', 'alter table t add column m integer;');
  await migrate(owner, folder);
  await rm(path.join(folder, '0002-b.additive.sql'));
  const start = () => refuseOtherSchema(database.environment.DATABASE_URL, folder);
  await start();
  expect(await migrate(owner, folder)).toEqual([]);

  await database.query(`insert into schema_migrations (name, checksum) values ('0003-c.sql', '')`);
  const refused =
    'O banco já tem a migração 0003-c.sql, que esta versão não conhece. Use uma versão mais nova.';
  await expect(start()).rejects.toThrow(refused);
  await expect(migrate(owner, folder)).rejects.toThrow(refused);
});

test('refuses a new migration that comes before one that is applied', async () => {
  await write('0002-b.sql', 'create table t (n integer);');
  await migrate(owner, folder);
  await write('0001-a.sql', 'create table u (n integer);');
  const refused =
    'A migração 0001-a.sql vem antes de 0002-b.sql, que este banco já tem. Dê a ela um número maior.';
  await expect(migrate(owner, folder)).rejects.toThrow(refused);
  expect(await database.query(`select to_regclass('u') as u`)).toEqual([{ u: null }]);
});

test('a migration that has to wait for a lock lets other statements pass, and is tried again', async () => {
  await write('0001-a.sql', 'create table t (n integer);');
  await migrate(owner, folder);
  const [holder, reader] = [await connect(owner), await connect(owner)];
  await holder.query('begin; lock table t in access share mode');
  await write('0002-b.sql', 'alter table t add column m integer;');
  const migrating = migrate(owner, folder, { lockTimeout: '200ms', tries: 1000 });
  const waiting = `select from pg_stat_activity where datname = current_database() and application_name = 'rende-migrate'
    and wait_event_type = 'Lock'`;
  while ((await database.query(waiting)).length === 0);
  // This statement waits for the lock after the migration, while its holder keeps it.
  await reader.query('select * from t');
  await holder.query('commit');
  expect(await migrating).toEqual(['0002-b.sql']);
});

test('a migration that waits too long for a lock changes nothing, and fails with a message', async () => {
  await write('0001-a.sql', 'create table t (n integer);');
  await migrate(owner, folder);
  const holder = await connect(owner);
  await holder.query('begin; lock table t in access share mode');
  await write('0002-b.sql', 'create table u (n integer); alter table t add column m integer;');
  await expect(migrate(owner, folder, { lockTimeout: '10ms', tries: 2 })).rejects.toThrow(
    /0002-b\.sql falhou.*lock timeout/,
  );
  expect(await database.query(`select to_regclass('u') as u`)).toEqual([{ u: null }]);
});

test('indexes are created concurrently, outside of a transaction, and again after a failure', async () => {
  await write('0001-a.sql', 'create table t (n integer); insert into t values (1), (1);');
  await migrate(owner, folder);
  await write(
    '0002-b.sql',
    '-- Large by then.\ndrop index concurrently if exists t_n;\ncreate unique index concurrently t_n on t (n);\n',
  );
  await expect(migrate(owner, folder)).rejects.toThrow(/0002-b\.sql falhou/);
  await database.query('delete from t');
  const applied = await Promise.all([migrate(owner, folder), migrate(owner, folder)]);
  expect(applied.flat()).toEqual(['0002-b.sql']);
  expect(await database.query(`select indisvalid from pg_index where indexrelid = 't_n'::regclass`)).toEqual([
    { indisvalid: true },
  ]);
});

test('a database with only some of the former migrations is told which commit adds the others', async () => {
  await write('0001-a.sql', '');
  await database.query(
    `insert into schema_migrations (name, checksum) values ('0001-event-store.sql', ''), ('0735-other-calendar-silence.additive.sql', '')`,
  );
  const line =
    'O banco é anterior ao commit 1c1e2609. Inicie uma vez a versão dele (git checkout 1c1e2609), e depois esta.';
  await expect(migrate(owner, folder)).rejects.toThrow(line);
  await expect(refuseOtherSchema(database.environment.DATABASE_URL, folder)).rejects.toThrow(line);
});
