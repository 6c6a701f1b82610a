import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { migrate } from '../../backend/platform/database/migrator.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

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

test('applies what is new, in the order of the names, once', async () => {
  await write('0002-b.sql', 'insert into t values (2);');
  await write('0001-a.sql', 'create table t (n integer); insert into t values (1);');
  expect(await migrate(owner, folder)).toEqual(['0001-a.sql', '0002-b.sql']);
  await write('0003-c.sql', 'insert into t values (3);');
  expect(await migrate(owner, folder)).toEqual(['0003-c.sql']);
  expect(await migrate(owner, folder)).toEqual([]);
  expect(await database.query('select n from t')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('several at once apply each file once', async () => {
  await write('0001-a.sql', 'create table t (n integer); insert into t values (1);');
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(owner, folder)));
  expect(applied.flat()).toEqual(['0001-a.sql']);
});

test('a file that fails leaves nothing behind, and its error names the line', async () => {
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
