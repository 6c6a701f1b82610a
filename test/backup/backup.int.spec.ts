import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Archive, writeArchive } from '../../backend/platform/backup/archive.js';
import { type About, readJson } from '../../backend/platform/backup/backup.js';
import type { Applied } from '../../backend/platform/backup/tables.js';
import { migrationsIn } from '../../backend/platform/database/migrator.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import { caughtUp, rebuild, snapshot } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { connect, createDatabase, type TestDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { openDatabase } from '../support/opening.js';
import { signUp, type Trainer } from '../support/people.js';
import { startProcess } from '../support/process.js';

const WRITERS = 4;

let folder: string;
/** An empty list of forgotten people. */
let list: string;
let source: TestDatabase;
let app: TestApp;
let trainers: Trainer[];
/** The backup was made while the writers wrote. */
let file: string;
/** Writes that were answered before the backup began, so it must contain them. */
let answeredBefore: Map<string, number>;
/** A write whose answer the backup contains. */
let repeated: { trainer: Trainer; key: string; body: object; id: string };

const positions = () =>
  new Map(trainers.map(({ tenantId, positions: known }) => [tenantId, known.get('') ?? 0]));
const restore = (target: TestDatabase, name: string, env: Record<string, string> = {}) =>
  runCli(target, ['restore', name], { FORGOTTEN_FILE: list, ...env });

/** Writes as one trainer until it is stopped: students, credits, sessions, money. */
async function write({ api }: Trainer, isOver: () => boolean): Promise<void> {
  const plano_id = (await api.post('/plans', { nome: 'Mensal', valor: 48_000, creditos: 8 })).body.id;
  for (let n = 0; !isOver(); n += 1) {
    const student = { nome: `Aluno\t${n}\\N`, telefone: '11943214321', plano_id, observacoes: 'a\nb' };
    const { id } = (await api.post('/students', student)).body;
    await api.post(`/students/${id}/credits/renew`);
    const inicio = Date.UTC(2026, 0, 1) + n * 3_600_000;
    const times = { inicio: new Date(inicio).toISOString(), fim: new Date(inicio + 3_600_000).toISOString() };
    const session = (await api.post('/sessions', { student_id: id, ...times })).body.id;
    await api.post(`/sessions/${session}/complete`);
    const entry = { tipo: 'receita', valor: 100 + n, metodo_pagamento: 'pix', data: '2026-01-01' };
    await api.post('/transactions', { ...entry, descricao: 'Mensalidade' });
  }
}

/** Tables with rows, among those of an empty database. */
const filled = async (database: TestDatabase) => {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'auth', 'read') and tablename <> 'schema_migrations'`,
  );
  const names: string[] = [];
  for (const { name } of tables)
    if ((await database.query(`select from ${name} limit 1`)).length > 0) names.push(name);
  return names;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rende-backup-'));
  atEnd(() => rm(folder, { recursive: true }));
  list = path.join(folder, 'forgotten');
  await writeFile(list, '');
  file = path.join(folder, 'rende.backup');
  source = await createDatabase();
  app = await startApp({ database: source });
  trainers = [];
  for (let n = 0; n < WRITERS; n += 1) trainers.push(await signUp(app));
  const body = { nome: 'Bia Lima', telefone: '11943214321' };
  const key = randomUUID();
  const { id } = (await trainers[0]!.api.post('/students', body, { idempotencyKey: key })).body;
  repeated = { trainer: trainers[0]!, key, body, id };
  await source.query(
    `insert into auth.recovery_codes select $1, convert_to(n::text, 'utf8') from generate_series(1, 10) n`,
    [trainers[0]!.userId],
  );
  // More than fits into one entry of the archive: 12 MB in rows of up to 8 kB.
  await source.query(
    `insert into auth.users (id, email, password_hash, user_metadata)
     select gen_random_uuid(), n || '@example.com', '', jsonb_build_object('nome', E'Zoé\\n' || repeat('x', n % 8000))
     from generate_series(1, 3000) n`,
  );

  let over = false;
  let writing: Promise<unknown> = Promise.resolve();
  const begun = new Promise<void>((resolve, reject) => {
    const isEnough = () => [...positions().values()].every((position) => position >= 60);
    writing = Promise.all(trainers.map((trainer) => write(trainer, () => (isEnough() && resolve(), over))));
    writing.catch(reject);
  });
  await begun;
  answeredBefore = positions();
  const made = await runCli(source, ['backup', file]);
  const answeredAfter = positions();
  over = true;
  await writing;
  expect(made.output).toMatch(
    /rende\.backup: \d+ tabelas, \d+ linhas\.\nPara ler este backup é preciso a RENDE_MASTER_KEY/,
  );
  expect(made.code).toBe(0);
  for (const [tenantId, position] of answeredBefore)
    expect(answeredAfter.get(tenantId)).toBeGreaterThan(position);
});

describe('a backup that was made under load', () => {
  let target: TestDatabase;
  let output: string;

  beforeAll(async () => {
    target = await createDatabase();
    const restored = await restore(target, file);
    ({ output } = restored);
    expect(restored).toMatchObject({ code: 0 });
  });

  it('is of one moment, with all writes that were answered before it', async () => {
    expect(output).toContain(`${WRITERS} tenants íntegros.\n`);
    const logs = await target.query<{ tenant_id: string; position: number; events: number }>(
      `select l.tenant_id, l.position::int, count(*)::int as events from tenant_log l join events using (tenant_id)
       group by 1, 2`,
    );
    expect(logs).toHaveLength(WRITERS);
    for (const { tenant_id, position, events } of logs) {
      expect(events).toBe(position);
      expect(position).toBeGreaterThanOrEqual(answeredBefore.get(tenant_id)!);
    }
    const hashes = async (database: TestDatabase) =>
      new Map(
        (
          await database.query<{ at: string; hash: string }>(
            `select tenant_id || '/' || position as at, encode(hash, 'hex') as hash from events`,
          )
        ).map(({ at, hash }) => [at, hash]),
      );
    const original = await hashes(source);
    const copied = await hashes(target);
    expect(original.size).toBeGreaterThan(copied.size);
    for (const [at, hash] of copied) expect(original.get(at)).toBe(hash);
  });

  it('reveals nothing without the master key', async () => {
    const bytes = await readFile(file, 'latin1');
    expect(bytes).toMatch(/^rende-backup 1 [0-9a-f]{16} [0-9a-f]{32}\n/);
    expect(bytes.slice(65, 67)).not.toBe('\x1f\x8b');
    expect(bytes).not.toContain('example.com');
  });

  it('has read tables that match the log, and row security as before', async () => {
    const rows = await snapshot(target);
    for (const table of ['students', 'sessions', 'credit_entries', 'transactions', 'history'])
      expect(rows[table]!.length).toBeGreaterThan(0);
    await rebuild(target);
    expect(await snapshot(target)).toEqual(rows);
    const security = (database: TestDatabase) =>
      database.query(
        `select c.oid::regclass::text as name, relrowsecurity, relforcerowsecurity from pg_class c
         join pg_namespace n on n.oid = relnamespace where relkind = 'r' and nspname in ('public', 'auth', 'read') order by 1`,
      );
    expect(await security(target)).toEqual(await security(source));
  });

  it('can be used: the password is valid, old sessions are not, and a repeated write is recognised', async () => {
    const restored = await startApp({ database: target });
    const { trainer, key, body, id } = repeated;
    const old = new Client(restored.url, { ...trainer, positions: new Map() });
    expect((await old.request('GET', '/api/v1/students')).status).toBe(401);
    const signedIn = await new Client(restored.url).request<{ access_token: string }>(
      'POST',
      '/auth/v1/token?grant_type=password',
      { body: { email: trainer.email, password: trainer.password } },
    );
    const caller = { ...trainer, accessToken: signedIn.body.access_token, positions: new Map() };
    const api = new Client(restored.url, caller);
    expect((await api.get<Student>(`/students/${id}`)).body).toMatchObject({ nome: 'Bia Lima' });
    expect((await api.post('/students', body, { idempotencyKey: key })).body.id).toBe(id);
    await api.post('/students', { ...body, nome: 'Caio' });
    await caughtUp(target);
    await restored.close();
    expect(await runCli(target, ['audit:verify'])).toMatchObject({ code: 0 });
  });

  it('has no recovery codes, because they may have been used since, and says so', async () => {
    expect(await target.query('select from auth.recovery_codes')).toEqual([]);
    expect(output).toContain(
      'Códigos de recuperação: deixam de valer para 1 pessoa, que precisará gerar outros.\n',
    );
  });

  it('is not restored twice into the same database', async () => {
    expect(await restore(target, file)).toEqual({
      code: 1,
      output: expect.stringMatching(/^O banco não está vazio\. Restaure em um banco novo\.\n$/),
    });
  });
});

it('an archive whose entries end in the middle of rows is restored', async () => {
  const masterKey = Buffer.from(environmentFor(source).RENDE_MASTER_KEY!, 'base64');
  const cut = path.join(folder, 'cut.backup');
  const whole = await Archive.open(file, masterKey);
  const cutRows = new Map<string, number>();
  await writeArchive(cut, masterKey, async (add) => {
    for await (const { name, content } of whole.parts()) {
      // The format of older backups: an entry ended wherever a chunk of the connection did.
      for await (const chunk of content) {
        for (let at = 0; at < chunk.length; at += 9973) {
          const piece = chunk.subarray(at, at + 9973);
          if (piece.at(-1) !== 0x0a) cutRows.set(name, (cutRows.get(name) ?? 0) + 1);
          await add(name, [piece]);
        }
      }
    }
  });
  await whole.close();
  for (const table of ['public.events', 'auth.users']) expect(cutRows.get(table)).toBeGreaterThan(5);
  const target = await createDatabase();
  expect(await restore(target, cut)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${WRITERS} tenants íntegros.\n`),
  });
});

describe('a file is refused before anything is written', () => {
  let target: TestDatabase;

  beforeAll(async () => {
    target = await createDatabase();
  });

  const refused = async (name: string, env: Record<string, string> = {}) => {
    const { code, output } = await restore(target, name, env);
    expect(code).toBe(1);
    expect(await filled(target)).toEqual([]);
    return output;
  };

  /** The file, as a version with other migrations would have made it. */
  async function withMigrations(change: (known: Applied[]) => Applied[]): Promise<string> {
    const masterKey = Buffer.from(environmentFor(source).RENDE_MASTER_KEY!, 'base64');
    const [changed, whole] = [path.join(folder, randomUUID()), await Archive.open(file, masterKey)];
    await writeArchive(changed, masterKey, async (add) => {
      for await (const part of whole.parts()) {
        if (part.name !== 'about.json') await add(part.name, part.content);
        else {
          const about = await readJson<About>(part);
          await add(part.name, [
            Buffer.from(JSON.stringify({ ...about, migrations: change(about.migrations) })),
          ]);
        }
      }
    });
    await whole.close();
    return changed;
  }

  it('that was altered', async () => {
    const bytes = await readFile(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    const altered = path.join(folder, 'altered');
    await writeFile(altered, bytes);
    expect(await refused(altered)).toBe(`${altered} está incompleto ou foi alterado: nada foi escrito.\n`);
  });

  it('without the list of forgotten people', async () => {
    expect(await refused(file, { FORGOTTEN_FILE: path.join(folder, 'nenhuma') })).toMatch(
      /^Não foi possível ler .*nenhuma \(ENOENT\), a lista de dados apagados: .*\n$/,
    );
  });

  it('of a newer version, or with a migration that is not ours', async () => {
    const last = (await migrationsIn('migrations')).at(-1)!;
    const newer = await withMigrations((known) => [
      ...known,
      { name: '9999-later.additive.sql', checksum: '' },
    ]);
    expect(await refused(newer)).toBe(
      'O backup é de uma versão mais nova do Rende: tem a migração 9999-later.additive.sql, que esta não conhece. Atualize o Rende e restaure de novo.\n',
    );
    const other = await withMigrations((known) => [...known.slice(0, -1), { ...last, checksum: 'other' }]);
    expect(await refused(other)).toContain(`A migração ${last.name} deste backup não é igual à desta versão`);
  });

  it('with the former migrations', async () => {
    const former = await withMigrations(() => [{ name: '0001-event-store.sql', checksum: '' }]);
    expect(await refused(former)).toBe(
      'O backup é do commit 1c1e2609 ou anterior. Restaure-o com a versão dele (git checkout 1c1e2609), e depois inicie esta.\n',
    );
  });

  it('while the application uses the database', async () => {
    const running = await connect(target.environment.DATABASE_URL);
    await running.query('select');
    expect(await refused(file)).toBe('O Rende está usando este banco. Pare-o antes de restaurar.\n');
    await running.end();
  });
});

it('after a restore that failed before it wrote anything, nobody can open the database until a restore succeeds', async () => {
  const target = await createDatabase();
  // A start without any use does not make it a used database.
  await (await startProcess({ database: target })).end('SIGTERM');
  expect(await target.query('select from auth.signing_keys')).toHaveLength(1);

  await target.query('alter table events add constraint full_disk check (position < 50)');
  expect(await restore(target, file)).toMatchObject({
    code: 1,
    output: expect.stringContaining('full_disk'),
  });
  expect(await target.query('select from events union all select from auth.users')).toEqual([]);
  await expect(startProcess({ database: target })).rejects.toThrow(
    'Uma restauração deste banco não terminou. Restaure de novo, ou recrie o banco.',
  );

  await target.query('alter table events drop constraint full_disk');
  const another = path.join(folder, 'in-its-place.backup');
  expect(await runCli(source, ['backup', another])).toMatchObject({ code: 0 });
  expect(await restore(target, another)).toMatchObject({ code: 0 });
  await openDatabase(target);
});

it('after a restore that stopped once its rows were written, nobody can open the database, and the next restore continues from there', async () => {
  const target = await createDatabase();
  const { tenantId, userId } = trainers[0]!;
  const context = {
    tenantId,
    userId,
    role: 'personal',
    studentId: null,
    timezone: 'UTC',
    requestId: 'r',
    device: null,
  };
  const someone = path.join(folder, 'someone');
  await writeFile(someone, JSON.stringify({ at: '2026-01-01T00:00:00Z', personId: randomUUID(), context }));
  const stopped = await restore(target, file, {
    FORGOTTEN_FILE: someone,
    DATABASE_URL: 'postgres://rende_app@127.0.0.1:9/none',
  });
  expect(stopped.output).toMatch(/linhas gravadas e conferidas\.\n[^\n]*\n[^\n]*ECONNREFUSED[^\n]*\n$/);
  expect(stopped.code).toBe(1);
  await expect(openDatabase(target)).rejects.toThrow(
    'Uma restauração deste banco não terminou. Restaure de novo, ou recrie o banco.',
  );

  const another = path.join(folder, 'another.backup');
  await runCli(source, ['backup', another]);
  expect((await restore(target, another)).output).toMatch(/^A restauração de outro backup não terminou/);

  const { code, output } = await restore(target, file, { FORGOTTEN_FILE: someone });
  expect(output).toMatch(
    /^As linhas já estavam gravadas\.\nLista de dados apagados: 1 pessoa, 0 neste backup\.\n/,
  );
  expect(code).toBe(0);
  await openDatabase(target);
});
