import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Config } from '../config/env.js';
import { FORMER, migrate, migrationsIn, RESTORING } from '../database/migrator.js';
import { plural } from '../plural.api.js';
import { SHARED } from '../projections/claim.js';
import { Archive, type Part } from './archive.js';
import { type About, connectOwner, readJson, SUMS, type Sums } from './backup.js';
import { type Applied, keptTables, migrationsOf, SAME_TEXT, sumOf, type Table } from './tables.js';

const IN_USE = `select from pg_stat_activity
  where datname = current_database() and usename in ('rende_app', 'rende_projector') limit 1`;
const UNFINISHED = 'select backup, filled_at is not null as filled from restores where finished_at is null';
/** Replaces the record of a restore that had written nothing yet. */
const BEGIN = `with given_up as (delete from restores where finished_at is null)
  insert into restores (backup, backup_of) values ($1, $2)
  on conflict (backup) do update set started_at = now(), finished_at = null, filled_at = null`;
const comment = (text: string | null) => `do $$ begin
  execute format('comment on database %I is %L', current_database(), ${text === null ? 'null' : pg.escapeLiteral(text)});
end $$`;
const FINISH = `update restores set finished_at = now() where finished_at is null; ${comment(null)}`;
const FILLED = 'update restores set filled_at = now() where backup = $1';
/** Drops only what our own role owns. */
const DROP_ALL = 'drop owned by current_user';
/** If all these tables are empty, the database was started but never used. */
const USED = 'select from auth.users union all select from tenants union all select from events limit 1';
const OWN_KEY = `insert into master_key (fingerprint) values ($1)
  on conflict (only_row) do update set fingerprint = excluded.fingerprint`;
/** Ends all sessions and links, which may have ended or been used since the backup: everybody signs in again and requests new links. */
const END = `update auth.sessions set ended_at = now() where ended_at is null;
  update auth.mail_tokens set used_at = now() where used_at is null and valid_until is not null;
  update auth.flow_states set used_at = now() where used_at is null`;
/** Recovery codes: some may have been used since the backup, so all are deleted. Returns their users. */
const END_RECOVERY_CODES = `with ended as (delete from auth.recovery_codes returning user_id)
  select count(distinct user_id)::int as people from ended`;
const CHECKPOINTS = `insert into projection_checkpoint (tenant_id, projection, position)
  select tenant_id, '${SHARED}', position from tenant_log
  on conflict (tenant_id, projection) do update set position = excluded.position`;
const DISK_FULL = '53100';
const MIGRATIONS = resolve('migrations');

/** Why the restore was refused or could not be completed, in Portuguese. */
class RestoreError extends Error {}

/** Steps of a restore that need more than the database. */
export interface RestoreSteps {
  rebuildAll: () => Promise<void>;
  /** Forgets the people on the list outside the database, and reports it. */
  forgetAgain: () => Promise<void>;
  /** Verifies chains, guards and keys of every tenant. Returns the number of problems. */
  verify: () => Promise<number>;
  /** Prints a line about the progress, in Portuguese. */
  say: (line: string) => void;
}

/**
 * Restores a backup into an empty database. First the tables are created as the version that made the backup had them.
 * The rows are written in one transaction, which commits only if reading them back gives the recorded checksums. Then
 * the database is migrated, everybody who was forgotten after the backup is forgotten again, and the read tables are
 * rebuilt from the log. Until the end the application refuses to open the database. After an interruption, a restore of
 * the same backup continues where it stopped.
 *
 * @throws ArchiveError, MigrationError, RestoreError
 */
export async function restore(config: Config, file: string, steps: RestoreSteps): Promise<void> {
  const archive = await Archive.open(file, config.masterKey);
  try {
    const client = await connectOwner(config, 'rende-restore');
    try {
      await client.query('set statement_timeout = 0');
      await fill(client, config, archive, steps);
      await migrate(config.databaseOwnerUrl!, MIGRATIONS);
      await client.query(OWN_KEY, [archive.keyId]);
      await steps.forgetAgain();
      await client.query(CHECKPOINTS);
      await steps.rebuildAll();
      if ((await steps.verify()) > 0) throw new RestoreError('O banco continua bloqueado.');
      await client.query('analyze');
      await client.query(FINISH);
    } catch (error) {
      throw error instanceof pg.DatabaseError && error.code === DISK_FULL
        ? new RestoreError('O disco do Postgres está cheio. Libere espaço e restaure de novo.')
        : error;
    } finally {
      await client.end();
    }
  } finally {
    await archive.close();
  }
}

/**
 * Refuses a file that `restore` would refuse: one that is no whole backup, has another master key, or a newer version.
 *
 * @throws ArchiveError, RestoreError
 */
export async function checkBackup({ masterKey }: Pick<Config, 'masterKey'>, file: string): Promise<void> {
  const archive = await Archive.open(file, masterKey);
  const parts = archive.parts();
  try {
    await refuseOtherVersions(await readJson<About>((await parts.next()).value as Part));
  } finally {
    await parts.return(undefined);
    await archive.close();
  }
}

async function fill(client: pg.Client, config: Config, archive: Archive, { say }: RestoreSteps) {
  const parts = archive.parts();
  try {
    const about = await readJson<About>((await parts.next()).value as Part);
    await refuseOtherVersions(about);
    if (await isFilled(client, archive)) return say('As linhas já estavam gravadas.');
    await client.query(comment(RESTORING));
    await goBackTo(client, config, about);
    await client.query(BEGIN, [archive.id, about.createdAt]);
    await client.query('begin');
    await client.query(SAME_TEXT);
    const rows = await copyAll(client, parts);
    const [{ people }] = (await client.query(END_RECOVERY_CODES)).rows as [{ people: number }];
    await client.query(FILLED, [archive.id]);
    await client.query('commit');
    say(`Backup de ${about.createdAt}: ${rows} linhas gravadas e conferidas.`);
    if (people > 0)
      say(
        `Códigos de recuperação: deixam de valer para ${plural(people, 'pessoa, que precisará', 'pessoas, que precisarão')} gerar outros.`,
      );
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await parts.return(undefined);
  }
}

const isSame = (one: Applied, other: Applied | undefined) =>
  one.name === other?.name && one.checksum === other.checksum;

/** A backup can be restored if its migrations are the first of ours: it was made by this version or an older one. */
async function refuseOtherVersions({ migrations }: About): Promise<void> {
  if (migrations.some(({ name }) => name === FORMER.first)) {
    throw new RestoreError(
      `O backup é do commit ${FORMER.commit} ou anterior. Restaure-o com a versão dele (git checkout ${FORMER.commit}), e depois inicie esta.`,
    );
  }
  const ours = await migrationsIn(MIGRATIONS);
  const other = migrations.find((migration, at) => !isSame(migration, ours[at]));
  if (!other) return;
  throw new RestoreError(
    ours.some(({ name }) => name === other.name)
      ? `A migração ${other.name} deste backup não é igual à desta versão do Rende. Restaure com a versão que fez o backup.`
      : `O backup é de uma versão mais nova do Rende: tem a migração ${other.name}, que esta não conhece. Atualize o Rende e restaure de novo.`,
  );
}

/** Whether an earlier restore of this backup wrote its rows. */
async function isFilled(client: pg.Client, { id }: Archive): Promise<boolean> {
  if ((await client.query(IN_USE)).rowCount)
    throw new RestoreError('O Rende está usando este banco. Pare-o antes de restaurar.');
  if ((await migrationsOf(client)).length === 0) return false;
  const { rows } = await client.query<{ backup: string; filled: boolean }>(UNFINISHED);
  const filled = rows.find((row) => row.filled);
  if (filled && filled.backup !== id) {
    throw new RestoreError(
      'A restauração de outro backup não terminou neste banco. Termine aquela, ou recrie o banco.',
    );
  }
  if (!filled) await refuseUsed(client);
  return filled !== undefined;
}

/** Gives an unused database the tables of the version that made the backup. */
async function goBackTo(client: pg.Client, { databaseOwnerUrl }: Config, { migrations }: About) {
  const own = await migrationsOf(client);
  if (own.length === migrations.length && own.every((each, at) => isSame(each, migrations[at]))) return;
  await client.query(DROP_ALL);
  await migrate(databaseOwnerUrl!, MIGRATIONS, { last: migrations.at(-1)!.name });
}

async function refuseUsed(client: pg.Client): Promise<void> {
  if ((await client.query(USED)).rowCount)
    throw new RestoreError('O banco não está vazio. Restaure em um banco novo.');
}

/** Returns the number of rows. */
async function copyAll(client: pg.Client, parts: AsyncIterable<Part>): Promise<number> {
  const tables = new Map((await keptTables(client)).map((table) => [table.name, table]));
  await empty(client, [...tables.keys()]);
  let sums: Sums = {};
  for await (const part of parts) {
    if (part.name === SUMS) sums = await readJson<Sums>(part);
    else await copyIn(client, tableOf(part, tables), part);
  }
  let count = 0;
  for (const [name, { rows, sha256 }] of Object.entries(sums)) {
    const stored = await sumOf(client, tables.get(name)!);
    if (stored.rows !== rows || stored.sha256 !== sha256)
      throw new RestoreError(`${name} não foi gravada como está no backup: nada foi escrito.`);
    count += rows;
  }
  await client.query(END);
  return count;
}

function tableOf({ name }: Part, tables: ReadonlyMap<string, Table>): Table {
  const table = tables.get(name);
  if (!table)
    throw new RestoreError(
      `O backup tem a tabela ${name}, que não é do Rende e não está neste banco: nada foi escrito. Crie-a vazia e restaure de novo.`,
    );
  return table;
}

/** Refuses a database that has data, and locks out concurrent writers. */
async function empty(client: pg.Client, tables: readonly string[]): Promise<void> {
  await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
  await refuseUsed(client);
  for (const name of [...tables].reverse()) await client.query(`delete from ${name}`);
}

/** COPY cannot write to tables with forced row security: it is switched off for the owner until the end of the transaction. */
async function copyIn(client: pg.Client, { name, columns, forced }: Table, { content }: Part): Promise<void> {
  if (forced) await client.query(`alter table ${name} no force row level security`);
  await pipeline(content, client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`)));
  if (forced) await client.query(`alter table ${name} force row level security`);
}
