import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import { prepared } from '../database/pools.js';
import type { StoredEvent } from '../event-store/event-codec.js';

/** Events after `low` up to and with `high`, of one tenant. */
export interface Range {
  tenantId: string;
  low: number;
  high: number;
}

/** What a projection gets: its own events of some ranges, and a connection inside the batch's transaction. */
export interface Batch {
  ranges: readonly Range[];
  /** Only the projection's own types, by tenant and position, personal fields in clear. Empty where it needs none. */
  events: readonly StoredEvent[];
  client: pg.ClientBase;
  /**
   * The events are all of their streams', because a person in them was forgotten: rows are written from nothing.
   */
  anew?: boolean;
}

/**
 * Read tables that follow from events alone. Whatever the batches, the rows are the same, so that a rebuild equals
 * live. Never reads the clock or other projections' tables. A row that holds personal fields follows from one stream,
 * and which row that is does not depend on them.
 */
export interface Projection {
  name: string;
  /** Topic of the hints that open screens get. */
  topic: string;
  /** Unqualified names in schema `read`. */
  tables: readonly string[];
  events: readonly string[];
  /** Whose own screens hear of an event, beside the trainer's: ids of the students that it is about. */
  students?: (data: Record<string, unknown>) => readonly string[];
  /** Folded in Node, so the worker decodes the events for it; set-based SQL reads them from the log itself. */
  needsEvents: boolean;
  apply(batch: Batch): Promise<void>;
}

const BATCH = `with batch as (
  select e.tenant_id, e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.recorded_at
  from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as r(tenant_id, low, high)
  join events e on e.tenant_id = r.tenant_id and e.position > r.low and e.position <= r.high
  where e.type = any($4::text[])
)`;

/**
 * A projection in set-based SQL. Each statement sees the batch's events as `batch` and begins with `insert …`,
 * `update …`, or with `, other as (…)`. Statements run in order, each seeing what those before it wrote.
 */
export function sqlProjection(definition: {
  name: string;
  topic: string;
  tables: readonly string[];
  events: readonly string[];
  statements: readonly string[];
}): Projection {
  const { statements, ...rest } = definition;
  const texts = statements.map((statement) => `${BATCH}\n${statement}`);
  return {
    ...rest,
    needsEvents: false,
    async apply({ ranges, client }) {
      const values = [
        ranges.map(({ tenantId }) => tenantId),
        ranges.map(({ low }) => low),
        ranges.map(({ high }) => high),
        rest.events,
      ];
      await runBatch(
        client,
        texts.map((text) => ({ text, values })),
      );
    },
  };
}

/**
 * A projection with one row per id, folded in Node: `evolve` gets the row as it stands (undefined where there is none)
 * and answers the next one, or null to remove it. `tenant_id` and `id` are filled in. Columns that the row does not
 * name become null.
 */
export function rowProjection<Row extends object>(definition: {
  name: string;
  topic: string;
  table: string;
  events: readonly string[];
  /** Ids of the rows that the event changes. */
  keys: (event: StoredEvent) => readonly string[];
  students?: Projection['students'];
  evolve: (row: Row | undefined, event: StoredEvent, id: string) => Row | null;
}): Projection {
  const { table, keys, evolve, ...rest } = definition;
  return {
    ...rest,
    tables: [table],
    needsEvents: true,
    async apply({ events, client, anew = false }) {
      const touched = new Map<string, { tenantId: string; id: string; row: Row | undefined }>();
      for (const event of events) {
        for (const id of keys(event)) {
          touched.set(`${event.tenantId}/${id}`, { tenantId: event.tenantId, id, row: undefined });
        }
      }
      if (touched.size === 0) return;
      const columns = await writableColumns(client, table);
      const pairs = [...touched.values()];
      const existing = await client.query<{ tenant_id: string; id: string; row: Row }>(
        prepared(
          `select tenant_id, id, to_jsonb(t) as row from ${table} t
           join unnest($1::uuid[], $2::uuid[]) as k(tenant_id, id) using (tenant_id, id)`,
          [pairs.map(({ tenantId }) => tenantId), pairs.map(({ id }) => id)],
        ),
      );
      if (!anew)
        for (const { tenant_id, id, row } of existing.rows) touched.get(`${tenant_id}/${id}`)!.row = row;
      for (const event of events) {
        for (const id of keys(event)) {
          const entry = touched.get(`${event.tenantId}/${id}`)!;
          entry.row = evolve(entry.row, event, id) ?? undefined;
        }
      }
      const gone = pairs.filter(({ row }) => row === undefined);
      const rows = pairs.flatMap(({ tenantId, id, row }) =>
        row ? [{ ...row, tenant_id: tenantId, id }] : [],
      );
      const list = columns.join(', ');
      const updates = columns.map((column) => `${column} = excluded.${column}`).join(', ');
      const remove = {
        text: `delete from ${table} t using unnest($1::uuid[], $2::uuid[]) as k(tenant_id, id)
             where t.tenant_id = k.tenant_id and t.id = k.id`,
        values: [gone.map(({ tenantId }) => tenantId), gone.map(({ id }) => id)],
      };
      const write = {
        text: `insert into ${table} (${list}) select ${list} from jsonb_populate_recordset(null::${table}, $1)
             on conflict (tenant_id, id) do update set ${updates}`,
        values: [JSON.stringify(rows)],
      };
      await runBatch(client, [...(gone.length > 0 ? [remove] : []), ...(rows.length > 0 ? [write] : [])]);
    },
  };
}

const columnsByTable = new Map<string, string[]>();

/** Columns of a read table but the generated ones. Read tables keep their columns for the life of a process. */
async function writableColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  let columns = columnsByTable.get(table);
  if (!columns) {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    columns = rows.map(({ name }) => name);
    columnsByTable.set(table, columns);
  }
  return columns;
}
