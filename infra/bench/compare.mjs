import { backendModule } from '../start/database.mjs';

const POSITIONS = 'select tenant_id, position from tenant_log';
const EVENTS = `select e.* from events e join moment m on m.tenant_id = e.tenant_id and e.position <= m.position
  order by e.tenant_id, e.position`;
/** `events` is compared separately; mails, their links and notifications are written later than the events that cause them. */
const LEFT_OUT = ['public.events', 'public.mails', 'public.letter_links', 'public.notifications'];
/** Tables with a tenant id: all of `read`, and those of $1. Also their columns, and their order: primary key, or all columns. */
const TABLES = `select format('%I.%I', n.nspname, c.relname) as name,
    (select string_agg('t.' || quote_ident(attname), ', ' order by attname) from pg_attribute
     where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
    (select string_agg('t.' || quote_ident(attname), ', '
       order by coalesce(array_position(i.indkey::int2[], attnum), attnum))
     from pg_attribute left join pg_index i on i.indrelid = attrelid and i.indisprimary
     where attrelid = c.oid and attnum > 0 and not attisdropped
       and (i.indkey is null or attnum = any(i.indkey::int2[]))) as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence = 'p' and (n.nspname = 'read' or format('%I.%I', n.nspname, c.relname) = any($1))
    and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id')
  order by 1`;

/**
 * Compares a database with one that was restored from its backup, row by row. Neither may change meanwhile. Of every tenant
 * it compares the events up to the position in the backup; of the tenants that recorded nothing since, also the rows of
 * `read`, and of the tables of `public` that a backup contains, except mails, their links and notifications.
 * Returns `{ rows, events, tables, unchanged, changed }`, the last two as numbers of tenants.
 *
 * @throws at the first row that differs
 */
export async function compareDatabases(source, target) {
  const [before, after] = await Promise.all([connect(source), connect(target)]);
  try {
    const { rows: logs } = await after.query(POSITIONS);
    const moment = [logs.map((log) => log.tenant_id), logs.map((log) => log.position)];
    const { rows: now } = await before.query(POSITIONS);
    const positions = new Map(now.map((log) => [log.tenant_id, log.position]));
    const unchanged = logs.filter((log) => positions.get(log.tenant_id) === log.position);
    for (const client of [before, after]) {
      await client.query('create temp table moment (tenant_id uuid primary key, position bigint)');
      await client.query('insert into moment select * from unnest($1::uuid[], $2::bigint[])', moment);
      await client.query('create temp table unchanged (tenant_id uuid primary key)');
      await client.query('insert into unchanged select * from unnest($1::uuid[])', [
        unchanged.map((log) => log.tenant_id),
      ]);
      await client.query('analyze moment, unchanged');
    }
    const events = await compare('public.events', before, after, EVENTS);
    let rows = events;
    const { keptTables } = await backendModule('platform/backup/tables.js');
    const kept = (await keptTables(after)).map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));
    const { rows: tables } = await after.query(TABLES, [kept]);
    for (const { name, columns, key } of tables) {
      const text = `select ${columns} from ${name} t join unchanged using (tenant_id) order by ${key}`;
      rows += await compare(name, before, after, text);
    }
    const changed = logs.length - unchanged.length;
    return { rows, events, tables: tables.length + 1, unchanged: unchanged.length, changed };
  } finally {
    await Promise.all([before.end(), after.end()]);
  }
}

async function connect({ DATABASE_OWNER_URL }) {
  const [{ default: pg }, { SAME_TEXT }] = await Promise.all([
    import('pg'),
    backendModule('platform/backup/tables.js'),
  ]);
  const client = new pg.Client({ connectionString: DATABASE_OWNER_URL, application_name: 'bench-compare' });
  await client.connect();
  await client.query(`begin; ${SAME_TEXT}`);
  return client;
}

/** Compares the results of a query in both databases, and returns their number of rows. */
async function compare(name, before, after, text) {
  const others = linesOf(after, text);
  let rows = 0;
  for await (const line of linesOf(before, text)) {
    const { value: other } = await others.next();
    if (line !== other)
      throw new Error(`${name} differs in row ${rows + 1}:\n${line}\n${other ?? 'no such row'}`);
    rows += 1;
  }
  const { done, value } = await others.next();
  if (!done) throw new Error(`${name} has more rows than its source:\n${value}`);
  return rows;
}

async function* linesOf(client, text) {
  const { to } = await import('pg-copy-streams').then((module) => module.default);
  let rest = '';
  for await (const chunk of client.query(to(`copy (${text}) to stdout`))) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}
