import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from '@jest/globals';
import { migrate } from '../../backend/platform/database/migrator.js';
import { atEnd } from '../support/cleanup.js';
import type { TestDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/process.js';
import { rounds } from '../support/rounds.js';
import { schemaOf } from '../support/schema.js';
import { type OwnPostgres, ownPostgres } from './harness/own-postgres.js';
import { openWire, type Statement } from './harness/wire.js';

/** At how many statements of our migrations Postgres crashes; also at one of the queue's. */
const DEATHS = rounds(1, 6);

const OURS = ['public', 'auth', 'read'];
const ALL = [...OURS, 'bullmq'];

let server: OwnPostgres;
/** The schema after all migrations, including the queue's tables. */
let whole: string[];
/** Numbers of the statements at which Postgres crashes. */
let deaths: number[];

async function applied(database: TestDatabase): Promise<number> {
  const [{ exists }] = (await database.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  )) as [{ exists: boolean }];
  return exists ? (await database.query('select from schema_migrations')).length : 0;
}

/** A database whose migrations are stopped before their n-th statement until they are released. */
async function databaseThatHolds(n: number) {
  const database = await server.emptyDatabase();
  await database.query(`
    create schema fault;
    create table fault.hold as select true as holds;
    create sequence fault.statements;
    create sequence fault.ours;
    create function fault.stand_still() returns event_trigger language plpgsql security definer as $$
    begin
      if to_regnamespace('bullmq') is null then perform nextval('fault.ours'); end if;
      if nextval('fault.statements') = ${n} then
        while (select holds from fault.hold) loop perform pg_sleep(0.01); end loop;
      end if;
    end $$;
    create event trigger stand_still on ddl_command_start execute function fault.stand_still()`);
  const reached = () =>
    database.query(`select is_called and last_value >= ${n} as reached from fault.statements`);
  return {
    database,
    standsStill: () => eventually(reached, [{ reached: true }]),
    letGo: () => database.query('update fault.hold set holds = false'),
  };
}

/** Runs `npm run db:migrate` as a process. */
function startMigrating(database: TestDatabase) {
  const child = spawn(process.execPath, ['infra/ops/migrate.mjs'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environmentFor(database) },
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async () => ({
    code: child.exitCode,
    said: (await said).join(''),
  }));
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  atEnd(kill);
  return { kill, ended };
}

/** The schema after the first `count` migration files. */
async function schemaAfter(count: number): Promise<string[]> {
  const database = await server.emptyDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-migrations-'));
  atEnd(() => rm(folder, { recursive: true }));
  for (const file of (await readdir('migrations')).sort().slice(0, count))
    await copyFile(path.join('migrations', file), path.join(folder, file));
  if (count > 0) await migrate(database.environment.DATABASE_OWNER_URL, folder);
  return schemaOf(database, OURS);
}

/** Expects that no migration file was applied in part. */
async function expectNothingHalf(database: TestDatabase): Promise<void> {
  expect(await schemaOf(database, OURS)).toEqual(await schemaAfter(await applied(database)));
}

/** Expects that another run of the migrations gives the same schema as one without a fault. */
async function expectToComplete(database: TestDatabase): Promise<void> {
  expect(await startMigrating(database).ended).toMatchObject({ code: 0 });
  expect(await schemaOf(database, ALL)).toEqual(whole);
}

beforeAll(async () => {
  server = await ownPostgres();
  const clean = await databaseThatHolds(0);
  await migrate(clean.database.environment.DATABASE_OWNER_URL, 'migrations');
  whole = await schemaOf(clean.database, ALL);
  const [counted] = await clean.database.query<{ ours: number; all: number }>(
    `select (select last_value::int from fault.ours) as ours, (select last_value::int from fault.statements) as all`,
  );
  const { ours, all } = counted!;
  deaths = [
    ...Array.from({ length: DEATHS }, (_, n) => Math.floor(((n + 0.5) * ours) / DEATHS)),
    Math.floor((ours + all) / 2),
  ];
});

it('a crash of Postgres at any statement leaves no migration partly applied, and the next run completes it', async () => {
  for (const at of deaths) {
    const { database, standsStill, letGo } = await databaseThatHolds(at);
    const migrating = startMigrating(database);
    await standsStill();
    await server.crash();
    expect({ at, ...(await migrating.ended) }).toEqual({
      at,
      code: 1,
      said: 'Rende: O Postgres caiu durante a migração, que foi desfeita: rode de novo.\n',
    });
    await server.restart();
    await expectNothingHalf(database);
    await letGo();
    await expectToComplete(database);
  }
});

it('a migrating process that is killed is waited for by the next one, which completes its work', async () => {
  for (const at of deaths) {
    const { database, standsStill, letGo } = await databaseThatHolds(at);
    const first = startMigrating(database);
    await standsStill();
    const second = startMigrating(database);
    await eventually(() => waiting(database), 1);
    await first.kill();
    await letGo();
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(await schemaOf(database, ALL)).toEqual(whole);
  }
});

/** Migrations that wait for another one, which they do by polling for the lock. */
const waiting = async (database: TestDatabase) =>
  (
    await database.query(
      `select from pg_stat_activity where application_name = 'rende-migrate' and datname = $1
      and query like 'select pg_try_advisory_lock%'`,
      [database.name],
    )
  ).length;

it.each(['before', 'after'] as const)(
  'a process that is killed %s the commit of a file leaves it to the next one',
  async (moment) => {
    const database = await server.emptyDatabase();
    const wire = await openWire(database);
    let commits = 0;
    const isSixth = ({ sql }: Statement) => sql === 'commit' && (commits += 1) === 6;
    const held = wire.hold(moment, isSixth);
    const migrating = startMigrating(wire.database);
    await held;
    await migrating.kill();
    await eventually(() => applied(database), moment === 'before' ? 5 : 6);
    await expectNothingHalf(database);
    await expectToComplete(database);
  },
);

it('of two concurrent migrations one waits for the other and finds nothing left to do', async () => {
  const { database, standsStill, letGo } = await databaseThatHolds(deaths[0]!);
  const first = startMigrating(database);
  await standsStill();
  const second = startMigrating(database);
  await eventually(() => waiting(database), 1);
  await letGo();
  expect((await first.ended).said).toMatch(/^Aplicadas: 0001-/);
  expect((await second.ended).said).toBe('O banco já está em dia.\n');
  expect(await schemaOf(database, ALL)).toEqual(whole);
});

it('the application starts on a database that is exactly up to date, and says why not on another one', async () => {
  const { database, standsStill, letGo } = await databaseThatHolds(deaths[0]!);
  const start = () => startProcess({ database });
  await expect(start()).rejects.toThrow(
    'O banco não está em dia: falta aplicar 0001-events.sql. Rode npm run db:migrate.',
  );
  const migrating = startMigrating(database);
  await standsStill();
  await expect(start()).rejects.toThrow('O banco não está em dia');
  await letGo();
  await migrating.ended;
  await (await start()).end('SIGTERM');
  const [last] = await database.query(
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning *',
  );
  await expect(start()).rejects.toThrow(`falta aplicar ${last!.name}. Rode npm run db:migrate.`);
  await database.query(
    `insert into schema_migrations select * from jsonb_populate_record(null::schema_migrations, $1)`,
    [last],
  );
  await database.query(`insert into schema_migrations values ('9999-tomorrow.sql', 'unknown')`);
  await expect(start()).rejects.toThrow(
    'O banco já tem a migração 9999-tomorrow.sql, que esta versão não conhece. Use uma versão mais nova.',
  );
});
