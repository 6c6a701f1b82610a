import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { from } from 'pg-copy-streams';
import { AppModule } from '../../backend/app.module.js';
import { Archive, writeArchive } from '../../backend/platform/backup/archive.js';
import { migrate, migrationsIn } from '../../backend/platform/database/migrator.js';
import { featuresOf } from '../../backend/platform/features.js';
import { caughtUp, snapshot } from '../proof/read-tables.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { connect, createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { rounds } from '../support/rounds.js';

/** A database as each release left it: see infra/ops/release-fixture.mjs. */
const releasesFolder = 'test/fixtures/releases';

/** Results that no upgrade may change, from the log, the guards and the read tables. */
const kept = {
  logs: 'select tenant_id, position, head_hash from tenant_log order by 1',
  balances: `select student_id, sum(remaining)::int as guarded, (select sum(b.restante)::int
      from read.credit_lot_balances b where b.student_id = l.student_id) as shown
    from credit_lots l group by student_id order by 1`,
  sessions: 'select id, student_id, location_id, inicio, fim, status from read.sessions order by 1',
  months: 'select * from read.finance_months order by mes',
  students: 'select id, status, nome, telefone from read.students order by 1',
};

interface Release {
  masterKey: string;
  email: string;
  password: string;
  /** A statement of COPY each, with its rows. */
  tables: string[];
}

const release = async (name: string): Promise<Release> => {
  const text = gunzipSync(await readFile(path.join(releasesFolder, `${name}.gz`))).toString('utf8');
  const [header, ...tables] = text.split(/^(?=copy )/m);
  return { ...(JSON.parse(header!) as Omit<Release, 'tables'>), tables };
};

/** A database with the migrations up to this one and the rows that the release left. */
async function restored(lastMigration: string, { tables }: Release): Promise<TestDatabase> {
  const database = await createDatabase();
  await database.query(`drop schema if exists bullmq, read, auth, public cascade`);
  await database.query('create schema public authorization pg_database_owner');
  await database.query('grant usage on schema public to public');
  const migrations = await mkdtemp(path.join(tmpdir(), 'rende-release-'));
  for (const name of await readdir('migrations'))
    if (name <= `${lastMigration}.sql`) await cp(path.join('migrations', name), path.join(migrations, name));
  await migrate(database.environment.DATABASE_OWNER_URL, migrations);
  await rm(migrations, { recursive: true });

  const client = await connect(database.adminUrl);
  // The tables of the rows are in any order.
  await client.query('set session_replication_role = replica');
  for (const table of tables) {
    const [statement, ...lines] = table.split('\n');
    await client.query(`delete from ${/^copy (\S+)/.exec(statement!)![1]}`);
    const rows = lines.slice(0, lines.indexOf('\\.')).map((line) => `${line}\n`);
    await pipeline(Readable.from(rows), client.query(from(statement!)));
  }
  await client.query('analyze');
  return database;
}

async function whatIsKept(database: TestDatabase) {
  const answers: Record<string, object[]> = {};
  for (const [name, text] of Object.entries(kept)) answers[name] = await database.query(text);
  return answers;
}

const migrationsOf = (database: TestDatabase) =>
  database.query('select name, checksum from schema_migrations order by name');

/** A database of the release and the file of its backup, in a folder of its own. */
async function backupOf(lastMigration: string, given: Release) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-old-backup-'));
  atEnd(() => rm(folder, { recursive: true }));
  const [file, list] = [path.join(folder, 'old.backup'), path.join(folder, 'forgotten')];
  await writeFile(list, '');
  const env = { RENDE_MASTER_KEY: given.masterKey, FORGOTTEN_FILE: list };
  const old = await restored(lastMigration, given);
  expect(await runCli(old, ['backup', file], env)).toMatchObject({ code: 0 });
  return { old, file, folder, env };
}

const releases = (await readdir(releasesFolder)).map((file) => file.replace('.gz', '')).sort();
const [oldest, ...newer] = releases as [string, ...string[]];

// In a long run, each of them; the others are restored and brought up to date below.
describe.each(releases.slice(0, rounds(1, releases.length)))(
  'a database of the release with %s',
  (lastMigration) => {
    it('is migrated, rebuilt from its log, and served with its data', async () => {
      const given = await release(lastMigration);
      const env = { RENDE_MASTER_KEY: given.masterKey };
      const database = await restored(lastMigration, given);
      const before = await whatIsKept(database);
      for (const rows of Object.values(before)) expect(rows).not.toEqual([]);

      await migrate(database.environment.DATABASE_OWNER_URL, 'migrations');
      expect(await runCli(database, ['audit:verify'], env)).toEqual({
        code: 0,
        output: '1 tenant íntegro.\n',
      });
      expect(await runCli(database, ['projections:rebuild', 'all'], env)).toMatchObject({ code: 0 });
      expect(await whatIsKept(database)).toEqual(before);

      const server = await startProcess({ database, env });
      const signedIn = await new Client(server.url).request<{ access_token: string }>(
        'POST',
        '/auth/v1/token',
        {
          query: { grant_type: 'password' },
          body: { email: given.email, password: given.password },
        },
      );
      expect(signedIn.status).toBe(200);
      const api = new Client(server.url, {
        accessToken: signedIn.body.access_token,
        address: '192.0.2.1',
        positions: new Map(),
      });
      const { body: student } = await api.post('/students', {
        nome: 'Aluna Nova',
        telefone: '(11) 98765-4321',
      });
      expect((await api.get(`/students/${student.id}`)).body).toMatchObject({ nome: 'Aluna Nova' });
      await caughtUp(database);
      expect((await whatIsKept(database)).students).toHaveLength(before.students!.length + 1);
      expect(await runCli(database, ['audit:verify'], env)).toMatchObject({ code: 0 });
    });
  },
);

/** All rows of the tables that follow from the log: read tables, and those of guards. */
async function derivedRows(database: TestDatabase) {
  const rows: Record<string, unknown> = await snapshot(database);
  for (const table of featuresOf(AppModule).all.guards.flatMap(({ tables }) => tables))
    rows[table] = await database.query(`select to_jsonb(t)::text as row from ${table} t order by 1`);
  return rows;
}

async function partsNotReady({ opsUrl }: TestProcess): Promise<string[]> {
  const { checks } = (await (await fetch(`${opsUrl}/health/ready`)).json()) as { checks: object };
  return Object.entries(checks).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
}

// Fails for a projection or guard that takes other events, or makes other rows of them, without a higher version.
it.each(newer)(
  'the worker brings all rows of the release with %s up to date by itself',
  async (lastMigration) => {
    const given = await release(lastMigration);
    const env = { RENDE_MASTER_KEY: given.masterKey };
    const database = await restored(lastMigration, given);
    await migrate(database.environment.DATABASE_OWNER_URL, 'migrations');
    const server = await startProcess({ database, env });
    await eventually(() => partsNotReady(server), []);
    await caughtUp(database);
    await server.end('SIGTERM');

    const builtByItself = await derivedRows(database);
    expect(await runCli(database, ['projections:rebuild', 'all'], env)).toMatchObject({ code: 0 });
    for (const { tenant_id } of await database.query<{ tenant_id: string }>(
      'select tenant_id from tenant_log',
    ))
      expect(await runCli(database, ['guards:rebuild', tenant_id], env)).toMatchObject({ code: 0 });
    expect(builtByItself).toEqual(await derivedRows(database));
  },
);

it.each(newer)('is restored from the backup of %s, and migrated', async (lastMigration) => {
  const given = await release(lastMigration);
  const { old, file, env } = await backupOf(lastMigration, given);
  const target = await createDatabase();
  const { code, output } = await runCli(target, ['restore', file], env);
  expect(output).toMatch(/linhas gravadas e conferidas\.\n[^]*1 tenant íntegro\.\n/);
  expect(code).toBe(0);
  expect(await whatIsKept(target)).toEqual(await whatIsKept(old));
  expect(await migrationsOf(target)).toEqual(await migrationsIn('migrations'));
  await (await startProcess({ database: target, env })).end('SIGTERM');
});

it(`is restored from the backup of ${oldest} after a migration stopped the restore, and starts no server until then`, async () => {
  const given = await release(oldest);
  const { old, file, folder, env } = await backupOf(oldest, given);
  const target = await createDatabase();
  const other = path.join(folder, 'with-another-table.backup');
  const masterKey = Buffer.from(given.masterKey, 'base64');
  const whole = await Archive.open(file, masterKey);
  await writeArchive(other, masterKey, async (add) => {
    for await (const { name, content } of whole.parts()) await add(name, content);
    await add('public.another', [Buffer.from('1\n')]);
  });
  await whole.close();
  expect((await runCli(target, ['restore', other], env)).output).toContain('nada foi escrito');
  // As at the next start.
  await migrate(target.environment.DATABASE_OWNER_URL, 'migrations');
  await expect(startProcess({ database: target, env })).rejects.toThrow(
    'Uma restauração deste banco não terminou',
  );
  // This table is not ours: it stays, and makes a migration fail.
  await target.query('drop table master_key');
  await target.query('create table public.master_key (whose text)');
  const stopped = await runCli(target, ['restore', file], env);
  expect(stopped.output).toMatch(/linhas gravadas e conferidas\.\n[^]*0095-master-key\.additive\.sql falhou/);
  expect(stopped.code).toBe(1);
  await expect(startProcess({ database: target, env })).rejects.toThrow('O banco não está em dia');

  await target.query('drop table public.master_key');
  const { code, output } = await runCli(target, ['restore', file], env);
  expect(output).toMatch(/^As linhas já estavam gravadas\.\n[^]*1 tenant íntegro\.\n/);
  expect(code).toBe(0);
  expect(await whatIsKept(target)).toEqual(await whatIsKept(old));
  expect(await migrationsOf(target)).toEqual(await migrationsIn('migrations'));
  await (await startProcess({ database: target, env })).end('SIGTERM');
});
