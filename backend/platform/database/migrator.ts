import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runMigrations } from 'bullmq';
import pg from 'pg';

/**
 * The 123 migrations that there were up to `commit`. Those up to `adopted` replaced them: they create what the former ones had
 * created in the end.
 */
export const FORMER = {
  first: '0001-event-store.sql',
  last: '0742-student-cpf.additive.sql',
  commit: '1c1e2609',
  adopted: '0012-notices.sql',
  /** Removes what was there only for versions before that, and defines anew what differs. */
  change: `
    drop trigger uses_keep_former_links on uses;
    drop function keep_former_links, auth.cpf_is_known, auth.find_signature_link, open_tenant(uuid),
      lock_log(uuid, uuid, text, text),
      record_command(uuid, bigint, bytea, jsonb, jsonb, uuid, text, text, text, json);
    drop table student_links, location_links, plan_links, snapshot_folds;
    create or replace function open_tenant(p_tenant uuid, p_guards text) returns void language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  insert into tenant_log (tenant_id, head_hash, guards) values (p_tenant, genesis_hash(p_tenant), p_guards);
  insert into projection_checkpoint (tenant_id, projection) values (p_tenant, 'live'), (p_tenant, 'summaries');
end $$;`,
};

const APPLIED = 'insert into public.schema_migrations (name, checksum) values ($1, $2)';

/** Why a migration could not be applied, naming its file. The database is as it was before that file. */
export class MigrationError extends Error {}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** The previous version keeps working on a database that has such a migration, and may be started on it. */
const ADDITIVE = /\.additive\.sql$/;
/** Cannot run inside a transaction: the file runs statement by statement, and starts over after a failure. */
const CONCURRENT = /^\s*(create|drop|reindex)\b[^;]*\bconcurrently\b/im;
/** A migration that waits for a lock blocks all later statements on that table, so it gives up soon and is retried. */
const LOCK_TIMEOUT = '3s';
const LOCK_NOT_AVAILABLE = '55P03';
const TRIES = 20;
const BETWEEN_TRIES_MS = 1000;

/** Comment on a database from the start of a restore to its end: it outlasts the tables, which the restore may drop. */
export const RESTORING = 'A restore has begun, and has not ended.';
const HALF_RESTORED = `select from restores where finished_at is null union all
  select from pg_database where datname = current_database() and shobj_description(oid, 'pg_database') = $1`;

// An arbitrary constant, the same for every process that migrates this database.
const advisoryLock = 7_265_646_501;

/** undefined_table; insufficient_privilege: the database was never migrated completely. */
const MISSING_TABLE = new Set(['42P01', '42501']);

/**
 * Brings a database up to date: applies every file of `folder` (`0001-name.sql`, in the order of their names) that it
 * does not have yet, each in a transaction of its own, then the schema of BullMQ's Postgres backend. Concurrent runs
 * wait for each other. It refuses a file that was changed or removed after it was applied, unless a newer version added
 * it as an additive migration, and a new file that precedes an applied one. A database with all former migrations
 * (`FORMER`) is taken for one with those that replaced them.
 *
 * @param ownerUrl connection string of rende_owner
 * @param options `last` names the file after which to stop
 * @returns the names of the files applied now
 */
export async function migrate(
  ownerUrl: string,
  folder: string,
  { lockTimeout = LOCK_TIMEOUT, tries = TRIES, last = '' } = {},
): Promise<string[]> {
  const all = await readMigrations(folder);
  const migrations = last ? all.filter(({ name }) => name <= last) : all;
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'rende-migrate' });
  let isLost = false;
  client.on('error', () => (isLost = true));
  await client.connect();
  try {
    await refuseOldServer(client);
    await takeTurn(client);
    await client.query(`
      create table if not exists public.schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    await client.query(`select set_config('lock_timeout', $1, false)`, [lockTimeout]);
    if (isFormer(await appliedTo(client))) await adopt(client, migrations);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await apply(client, migration, tries);
    await client.query('reset lock_timeout');
    await runMigrations(client);
    // Nobody listens to BullMQ's events, and three for each job are a quarter of what it costs.
    await client.query(`
      create or replace function bullmq.publish_event(p_queue text, p_event text, p_data jsonb) returns bigint
        language sql immutable as 'select 0::bigint';
      grant select on public.schema_migrations to rende_app;
      grant usage on schema bullmq to rende_app, rende_projector;
      grant select, insert, update, delete on all tables in schema bullmq to rende_app, rende_projector;
      grant usage, select on all sequences in schema bullmq to rende_app, rende_projector`);
    return pending.map((migration) => migration.name);
  } catch (error) {
    if (!isLost) throw error;
    throw new MigrationError('O Postgres caiu durante a migração, que foi desfeita: rode de novo.', {
      cause: error,
    });
  } finally {
    await client.end();
  }
}

/**
 * Refuses a database that lacks a migration of this version, has an unknown one that is not additive, or whose restore
 * has not ended.
 *
 * @param databaseUrl connection string of rende_app, which may read the applied migrations once a migration was
 * completed
 */
export async function refuseOtherSchema(databaseUrl: string, folder: string): Promise<void> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'rende-start' });
  await client.connect();
  try {
    const pending = await findPending(client, migrations).catch((error: unknown) => {
      if (MISSING_TABLE.has((error as pg.DatabaseError).code ?? '')) return migrations;
      throw error;
    });
    if (pending.length > 0) {
      throw new MigrationError(
        `O banco não está em dia: falta aplicar ${pending[0]!.name}. Rode npm run db:migrate.`,
      );
    }
    if ((await client.query(HALF_RESTORED, [RESTORING])).rowCount) {
      throw new MigrationError(
        'Uma restauração deste banco não terminou. Restaure de novo, ou recrie o banco.',
      );
    }
  } finally {
    await client.end();
  }
}

/**
 * Polls for the lock instead of waiting: `create index concurrently` of another process would wait for the blocked
 * statement.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const text = 'select pg_try_advisory_lock($1) as ours';
    const { rows } = await client.query<{ ours: boolean }>(text, [advisoryLock]);
    if (rows[0]!.ours) return;
    await delay(100);
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  if (rows[0]!.number < 150_000) {
    throw new MigrationError(`Rende precisa do Postgres 15 ou mais novo; este é o ${rows[0]!.version}.`);
  }
}

/** The migrations of an up-to-date database, in order. */
export async function migrationsIn(folder: string): Promise<{ name: string; checksum: string }[]> {
  return (await readMigrations(folder)).map(({ name, checksum }) => ({ name, checksum }));
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

type Applied = Pick<Migration, 'name' | 'checksum'>;

async function appliedTo(client: pg.Client): Promise<Applied[]> {
  const text = 'select name, checksum from public.schema_migrations order by name';
  return (await client.query<Applied>(text)).rows;
}

/**
 * Whether a database has all former migrations.
 *
 * @throws MigrationError where it has only some of them
 */
function isFormer(applied: readonly Applied[]): boolean {
  const names = new Set(applied.map(({ name }) => name));
  if (names.has(FORMER.first) && !names.has(FORMER.last)) {
    throw new MigrationError(
      `O banco é anterior ao commit ${FORMER.commit}. Inicie uma vez a versão dele (git checkout ${FORMER.commit}), e depois esta.`,
    );
  }
  return names.has(FORMER.last);
}

/** Has the migrations that replaced the former ones stand for these. */
async function adopt(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query('begin');
  await client.query(FORMER.change);
  await client.query('delete from public.schema_migrations where name <= $1', [FORMER.last]);
  for (const { name, checksum } of migrations)
    if (name <= FORMER.adopted) await client.query(APPLIED, [name, checksum]);
  await client.query('commit');
}

async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const rows = await appliedTo(client);
  if (isFormer(rows)) return migrations;
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of rows) {
    const migration = known.get(name);
    if (!migration) {
      if (ADDITIVE.test(name)) continue;
      throw new MigrationError(
        `O banco já tem a migração ${name}, que esta versão não conhece. Use uma versão mais nova.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(
        `A migração ${name} mudou depois de aplicada. Restaure o arquivo e ponha a mudança em um novo.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  const last = rows.at(-1)?.name ?? '';
  if (pending[0] && pending[0].name < last) {
    throw new MigrationError(
      `A migração ${pending[0].name} vem antes de ${last}, que este banco já tem. Dê a ela um número maior.`,
    );
  }
  return pending;
}

async function apply(client: pg.Client, migration: Migration, tries: number): Promise<void> {
  const { name, sql } = migration;
  for (let left = tries - 1; ; left -= 1) {
    try {
      await (CONCURRENT.test(sql) ? runOneByOne(client, migration) : runAtOnce(client, migration));
      return;
    } catch (error) {
      const isLocked = (error as pg.DatabaseError).code === LOCK_NOT_AVAILABLE;
      if (!isLocked || left <= 0)
        throw new MigrationError(`A migração ${name} falhou${describe(error, sql)}`, { cause: error });
      await client.query('rollback');
      await delay(BETWEEN_TRIES_MS);
    }
  }
}

async function runAtOnce(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  await client.query(sql);
  await client.query(APPLIED, [name, checksum]);
  await client.query('commit');
}

async function runOneByOne(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  for (const statement of sql.split(/;\s*$/m)) if (statement.trim()) await client.query(statement);
  await client.query(APPLIED, [name, checksum]);
}

function describe(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return `: ${String(error)}`;
  const line = error.position ? ` na linha ${sql.slice(0, Number(error.position)).split('\n').length}` : '';
  return `${line}: ${[error.message, error.detail, error.hint].filter(Boolean).join(' ')}`;
}
