import { createHash } from 'node:crypto';
import type pg from 'pg';
import { to } from 'pg-copy-streams';

/** A table that a backup holds. */
export interface Table {
  /** With its schema. */
  name: string;
  columns: string[];
  /** Columns by which its rows are sorted, so that the checksum is the same in every database. */
  order: string;
  /** Row security holds for the owner too. */
  forced: boolean;
}

/**
 * Tables that are not in a backup: checkpoints, which are rebuilt from the log, and rows that concern only one database
 * or one moment. The schemas `read` (rebuilt from the log) and `bullmq` (sweeps replace lost jobs) are left out as a
 * whole.
 */
const NOT_KEPT = [
  'schema_migrations',
  'restores',
  'master_key',
  'projection_checkpoint',
  'projection_version',
  'reaction',
  'reaction_checkpoint',
  'reaction_sweep',
  'socket_io_attachments',
  'account_exports',
  'account_export_parts',
  'push_deliveries',
];

// Unlogged tables are gone after a crash anyway.
const TABLES = `select format('%I.%I', n.nspname, c.relname) as name, c.relforcerowsecurity as forced,
    (select array_agg(quote_ident(attname) order by attnum) from pg_attribute
     where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    (select string_agg(quote_ident(attname) || case when attcollation = 0 then '' else ' collate "C"' end, ', '
       order by coalesce(array_position(i.indkey::int2[], attnum), attnum))
     from pg_attribute left join pg_index i on i.indrelid = attrelid and i.indisprimary
     where attrelid = c.oid and attnum > 0 and not attisdropped
       and (i.indkey is null or attnum = any(i.indkey::int2[]))) as "order",
    array(select distinct format('%I.%I', fn.nspname, fc.relname) from pg_constraint f
      join pg_class fc on fc.oid = f.confrelid join pg_namespace fn on fn.oid = fc.relnamespace
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname in ('public', 'auth') and c.relname <> all($1)
  order by 1`;

/** The tables that a backup holds, each after those that it refers to. */
export async function keptTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(TABLES, [NOT_KEPT]);
  const sorted: Table[] = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ needs }) => !needs.some((name) => names.has(name)));
    if (ready.length === 0) throw new Error(`these tables refer to each other: ${[...names].join(', ')}`);
    sorted.push(...ready.map(({ needs: _needs, ...table }) => table));
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return sorted;
}

/** Makes COPY's text independent of the settings of server and role, and switches the statement timeout off. */
export const SAME_TEXT = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601';
  set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/** Row count and checksum of a table. */
export interface Sum {
  rows: number;
  /** SHA-256 of its rows as COPY's text, in their order, in hexadecimal. */
  sha256: string;
}

/** Rows of a table in COPY's text format, in a fixed order; `sum` is set once all were read. */
export function rowsOf(client: pg.ClientBase, { name, columns, order }: Table) {
  const rows = client.query(
    to(`copy (select ${columns.join(', ')} from ${name} order by ${order}) to stdout`),
  );
  const hash = createHash('sha256');
  const content = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  };
  return { content: content(), sum: (): Sum => ({ rows: rows.rowCount, sha256: hash.digest('hex') }) };
}

/** Reads a table whole. */
export async function sumOf(client: pg.ClientBase, table: Table): Promise<Sum> {
  const { content, sum } = rowsOf(client, table);
  while (!(await content.next()).done);
  return sum();
}

/** A migration that a database has. */
export interface Applied {
  name: string;
  checksum: string;
}

/** Those of a database, in order; none where it was never migrated. */
export async function migrationsOf(client: pg.ClientBase): Promise<Applied[]> {
  const table = await client.query(`select where to_regclass('public.schema_migrations') is not null`);
  if (table.rowCount === 0) return [];
  const { rows } = await client.query<Applied>(
    'select name, checksum from public.schema_migrations order by name',
  );
  return rows;
}
