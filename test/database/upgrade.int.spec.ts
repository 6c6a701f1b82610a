import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { from } from 'pg-copy-streams';
import { AppModule } from '../../backend/app.module.js';
import { Archive, writeArchive } from '../../backend/platform/backup/archive.js';
import { migrate, migrationsIn } from '../../backend/platform/database/migrator.js';
import { featuresOf } from '../../backend/platform/features.js';
import { caughtUp, snapshot } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { connect, createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openDatabase } from '../support/opening.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { schemaOf } from '../support/schema.js';

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

/** What a release stored for a small demonstration trainer: see infra/ops/release-fixture.mjs. */
const FOLDER = 'test/fixtures/releases';
/** Of commit 0900d57c, with the former migrations. Before the rows it has its schema, as pg_dump wrote it. */
const FORMER = '0742-student-cpf.additive';
const releases = (await readdir(FOLDER)).map((file) => file.replace('.gz', ''));

interface Release {
  masterKey: string;
  email: string;
  password: string;
  schema: string;
  /** A statement of COPY each, with its rows. */
  tables: string[];
}

async function release(name: string): Promise<Release> {
  const text = gunzipSync(await readFile(path.join(FOLDER, `${name}.gz`))).toString('utf8');
  const [about, ...tables] = text.split(/^(?=copy )/m);
  const [header, schema] = about!.split(/\n([^]*)/) as [string, string];
  return { ...(JSON.parse(header) as Omit<Release, 'schema' | 'tables'>), schema, tables };
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  await database.query('drop schema if exists bullmq, read, auth, public cascade');
  await database.query('create schema public authorization pg_database_owner');
  await database.query('grant usage on schema public to public');
  return database;
}

/** Writes rows of the release. */
async function fill(database: TestDatabase, tables: readonly string[]): Promise<void> {
  const client = await connect(database.adminUrl);
  // The tables of the rows are in any order.
  await client.query('set session_replication_role = replica');
  for (const table of tables) {
    const [statement, ...lines] = table.split('\n');
    const rows = lines.slice(0, lines.indexOf('\\.')).map((line) => `${line}\n`);
    await pipeline(Readable.from(rows), client.query(from(statement!)));
  }
  await client.query('analyze');
}

/** A database with the migrations up to this one. */
async function migratedTo(last: string): Promise<TestDatabase> {
  const database = await emptyDatabase();
  await migrate(database.environment.DATABASE_OWNER_URL, 'migrations', { last });
  return database;
}

/** A database as the release left it. */
async function restored(name: string, { schema, tables }: Release): Promise<TestDatabase> {
  const database = schema ? await emptyDatabase() : await migratedTo(`${name}.sql`);
  if (schema) await (await connect(database.adminUrl)).query(schema);
  await fill(database, tables);
  return database;
}

async function whatIsKept(database: TestDatabase) {
  const answers: Record<string, object[]> = {};
  for (const [name, text] of Object.entries(kept)) answers[name] = await database.query(text);
  return answers;
}

const migrationsOf = (database: TestDatabase) =>
  database.query('select name, checksum from schema_migrations order by name');

it('a database with the former migrations becomes the same as a new one', async () => {
  const [database, fresh] = [await restored(FORMER, await release(FORMER)), await createDatabase()];
  await expect(startProcess({ database })).rejects.toThrow('falta aplicar 0001-events.sql');
  // Those up to 0012 are the former ones in another form.
  const added = (await readdir('migrations')).filter((name) => name > '0013').toSorted();
  expect(await migrate(database.environment.DATABASE_OWNER_URL, 'migrations')).toEqual(added);
  expect(await migrationsOf(database)).toEqual(await migrationsIn('migrations'));
  const ours = ['public', 'auth', 'read'];
  expect(await schemaOf(database, ours)).toEqual(await schemaOf(fresh, ours));
});

it.each(releases)('%s is migrated, rebuilt from its log, and served with its data', async (name) => {
  const given = await release(name);
  const env = { RENDE_MASTER_KEY: given.masterKey };
  const database = await restored(name, given);
  const before = await whatIsKept(database);
  for (const rows of Object.values(before)) expect(rows).not.toEqual([]);

  await migrate(database.environment.DATABASE_OWNER_URL, 'migrations');
  expect(await runCli(database, ['audit:verify'], env)).toEqual({
    code: 0,
    output: '1 tenant íntegro.\n',
  });
  expect(await runCli(database, ['projections:rebuild', 'all'], env)).toMatchObject({ code: 0 });
  expect(await whatIsKept(database)).toEqual(before);

  const server = await startApp({ database, env });
  const signedIn = await new Client(server.url).request<{ access_token: string }>('POST', '/auth/v1/token', {
    query: { grant_type: 'password' },
    body: { email: given.email, password: given.password },
  });
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

const BEHIND = `select from tenant_log l join projection_checkpoint c using (tenant_id) where c.position < l.position`;

// Fails for a projection or guard that takes other events, or makes other rows of them, without a higher version.
it.each(releases)('the worker brings all rows of %s up to date by itself', async (name) => {
  const given = await release(name);
  const env = { RENDE_MASTER_KEY: given.masterKey };
  const database = await restored(name, given);
  if (name === FORMER) {
    // Its worker was stopped before it had projected the months, which had a checkpoint of their own.
    await database.query('delete from read.finance_months');
    await database.query("update projection_checkpoint set position = 0 where projection = 'summaries'");
  }
  await migrate(database.environment.DATABASE_OWNER_URL, 'migrations');
  do {
    const server = await startProcess({ database, env });
    await eventually(() => partsNotReady(server), []);
    await caughtUp(database);
    await server.end('SIGTERM');
    // A job may have recorded events until then.
  } while ((await database.query(BEHIND)).length > 0);

  const builtByItself = await derivedRows(database);
  expect(await runCli(database, ['projections:rebuild', 'all'], env)).toMatchObject({ code: 0 });
  for (const { tenant_id } of await database.query<{ tenant_id: string }>('select tenant_id from tenant_log'))
    expect(await runCli(database, ['guards:rebuild', tenant_id], env)).toMatchObject({ code: 0 });
  expect(builtByItself).toEqual(await derivedRows(database));
});

/** A database of an older version with these migrations and rows of a release, and the file of its backup. */
async function backupOf(last: string, { masterKey, tables }: Release) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-old-backup-'));
  atEnd(() => rm(folder, { recursive: true }));
  const [file, list] = [path.join(folder, 'old.backup'), path.join(folder, 'forgotten')];
  await writeFile(list, '');
  const old = await migratedTo(last);
  const known = await old.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where tablename <> 'schema_migrations'`,
  );
  await fill(
    old,
    tables.filter((table) => known.some(({ name }) => table.startsWith(`copy ${name} `))),
  );
  const env = { RENDE_MASTER_KEY: masterKey, FORGOTTEN_FILE: list };
  expect(await runCli(old, ['backup', file], env)).toMatchObject({ code: 0 });
  return { old, file, folder, env };
}

it('a backup of an older version is restored after a migration stopped the restore, and no server starts until then', async () => {
  const given = await release(FORMER);
  const { old, file, folder, env } = await backupOf('0011-public-link.sql', given);
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
  await expect(openDatabase(target, env)).rejects.toThrow('Uma restauração deste banco não terminou');
  // This table is not ours: it stays, and makes a migration fail.
  await target.query('drop table push_deliveries');
  await target.query('create table public.push_deliveries (whose text)');
  const stopped = await runCli(target, ['restore', file], env);
  expect(stopped.output).toMatch(/linhas gravadas e conferidas\.\n[^]*0012-notices\.sql falhou/);
  expect(stopped.code).toBe(1);
  await expect(openDatabase(target, env)).rejects.toThrow('O banco não está em dia');

  await target.query('drop table public.push_deliveries');
  const { code, output } = await runCli(target, ['restore', file], env);
  expect(output).toMatch(/^As linhas já estavam gravadas\.\n[^]*1 tenant íntegro\.\n/);
  expect(code).toBe(0);
  expect(await whatIsKept(target)).toEqual(await whatIsKept(old));
  expect(await migrationsOf(target)).toEqual(await migrationsIn('migrations'));
  await openDatabase(target, env);
});
