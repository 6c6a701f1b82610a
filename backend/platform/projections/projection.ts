import type pg from 'pg';
import { runBatch, type Statement } from '../database/batch.js';
import type { Aggregate, DomainEvent } from '../event-store/aggregate.js';
import type { StoredEvent } from '../event-store/event-codec.js';
import { storedEvents, type StoredVersions } from '../event-store/stored-events.js';

/** Events of one tenant after `low`, up to and including `high`. */
export interface Range {
  tenantId: string;
  low: number;
  high: number;
}

/** Input of a projection: its own events of some ranges. */
export interface Batch {
  ranges: readonly Range[];
  /**
   * Only events of the projection's types, by tenant and position, personal fields decrypted. Empty if the projection
   * reads the log itself.
   */
  events: readonly StoredEvent[];
  /** The batch contains whole streams, because a person in them was forgotten: rows are written from scratch. */
  anew?: boolean;
}

/**
 * Read tables that are computed from events alone. The rows do not depend on how events are batched, so that a rebuild
 * gives the same rows as live projecting. It never reads the clock or tables of other projections. A row with personal
 * fields is computed from one stream, and its key does not depend on them.
 */
export interface Projection {
  name: string;
  /** Increase it with every change of the rows: they are then rebuilt from the log. */
  version: number;
  /** Topic of the hints that are sent to open screens. */
  topic: string;
  /** Unqualified names in schema `read`. */
  tables: readonly string[];
  events: readonly string[];
  /** Ids of the students whose own screens also get a hint of the event; `all`: every student of the tenant. */
  students?: 'all' | ((data: Record<string, unknown>) => readonly string[]);
  /** Topic of a hint that every student's screens get of each event, beside those of the students concerned: it says nothing else. */
  everyStudent?: string;
  /** It is folded in Node, so the worker decodes the events for it; set-based SQL reads them from the log itself. */
  needsEvents: boolean;
  /** Folds an event into rows in memory, by id, where its rows of an earlier moment are asked for (`PastTables`). */
  fold?(rows: Map<string, object>, event: StoredEvent): void;
  /** The same in SQL: selects by name, the last of which are the tables, over the events up to `moment.position`. */
  asOf?: Readonly<Record<string, string>>;
  /** Queries for the rows that the batch changes. Personal fields may still be null then. */
  reads?(batch: Batch): Statement[];
  /** Statements in order, each seeing what those before it wrote. `read`: the rows of each query of `reads`. */
  writes(batch: Batch, read: readonly pg.QueryResultRow[][]): Statement[];
}

/** For events that may concern a student. */
export const studentIfAny = ({ student_id }: Record<string, unknown>): string[] =>
  typeof student_id === 'string' ? [student_id] : [];

/** One projection's part of a batch. */
export interface Share {
  projection: Projection;
  batch: Batch;
}

/**
 * Runs the queries of all these projections in one round trip, together with the statements `also`. Returns the rows of
 * these, and the input of `writesOf`.
 */
export async function readRows(
  client: pg.ClientBase,
  shares: readonly Share[],
  also: readonly Statement[] = [],
): Promise<{ also: pg.QueryResultRow[][]; read: pg.QueryResultRow[][][] }> {
  const asked = shares.map(({ projection, batch }) => projection.reads?.(batch) ?? []);
  const statements = [...also, ...asked.flat()];
  const answers = statements.length > 0 ? await runBatch(client, statements) : [];
  const alsoRead = answers.splice(0, also.length);
  return { also: alsoRead, read: asked.map(({ length }) => answers.splice(0, length)) };
}

export function writesOf(shares: readonly Share[], read: readonly pg.QueryResultRow[][][]): Statement[] {
  return shares.flatMap(({ projection, batch }, at) => projection.writes(batch, read[at]!));
}

const COLUMNS_OF_EVENTS = `e.tenant_id, e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta,
  e.recorded_at`;

const batchOf = (stored: string) => `with batch as (
  select ${COLUMNS_OF_EVENTS}
  from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as r(tenant_id, low, high)
  join ${stored} e on e.tenant_id = r.tenant_id and e.position > r.low and e.position <= r.high
)`;

/** Selects by name, each of which may read those before it: the events up to the moment, and each table from these. */
function selectsAsOf(name: string, stored: string, asOf: Readonly<Record<string, string>>) {
  const events = `"events of ${name}"`;
  const tables = Object.entries(asOf).map(([table, text]) => [
    table,
    `with batch as (select * from ${events}) ${text}`,
  ]);
  const untilMoment = `select ${COLUMNS_OF_EVENTS} from ${stored} e where e.position <= (select position from moment)`;
  return Object.fromEntries([[events, untilMoment], ...tables]) as Record<string, string>;
}

/**
 * A projection in set-based SQL. It reads events as they are stored, so it names the schema versions of each type that
 * its statements handle: an event of another version parks it. Each statement sees the batch's events as `batch` and
 * begins with `insert …`, `update …`, or with `, other as (…)`. Statements run in order, each seeing the results of
 * those before it. `asOf`: each of its tables, in one select from the batch of all events.
 */
export function sqlProjection(definition: {
  name: string;
  version?: number;
  topic: string;
  tables: readonly string[];
  events: StoredVersions;
  students?: Projection['students'];
  everyStudent?: string;
  statements: readonly string[];
  asOf?: Readonly<Record<string, string>>;
}): Projection {
  const { statements, events, version = 1, asOf, ...rest } = definition;
  const stored = storedEvents(events);
  const batch = batchOf(stored);
  const texts = statements.map((statement) => `${batch}\n${statement}`);
  return {
    ...rest,
    version,
    events: Object.keys(events),
    needsEvents: false,
    ...(asOf && { asOf: selectsAsOf(rest.name, stored, asOf) }),
    writes({ ranges }) {
      const values = [
        ranges.map(({ tenantId }) => tenantId),
        ranges.map(({ low }) => low),
        ranges.map(({ high }) => high),
      ];
      return texts.map((text) => ({ text, values }));
    },
  };
}

/** An event of the log, as its newest shape. */
type Taken<Event extends DomainEvent> = Event & Omit<StoredEvent, keyof DomainEvent>;

/**
 * A projection with one row per id, folded in Node: `evolve` gets the current row (undefined if there is none) and
 * returns the next one, or null to remove it. `tenant_id` and `id` are filled in. Columns that the returned row omits
 * become null.
 */
export function rowProjection<Row extends object, Event extends DomainEvent>(definition: {
  name: string;
  version?: number;
  topic: string;
  table: string;
  events: readonly Event['type'][];
  /** Ids of the rows that the event changes. */
  keys: (event: Taken<Event>) => readonly string[];
  students?: Projection['students'];
  everyStudent?: string;
  evolve: (row: Row | undefined, event: Taken<Event>, id: string) => Row | null;
}): Projection {
  const { table, version = 1, ...rest } = definition;
  const { keys, evolve } = definition as unknown as {
    keys: (event: StoredEvent) => readonly string[];
    evolve: (row: Row | undefined, event: StoredEvent, id: string) => Row | null;
  };
  const find = `select tenant_id, id, to_jsonb(t) as row from ${table} t
    join unnest($1::uuid[], $2::uuid[]) as k(tenant_id, id) using (tenant_id, id)`;
  const remove = `delete from ${table} t using unnest($1::uuid[], $2::uuid[]) as k(tenant_id, id)
    where t.tenant_id = k.tenant_id and t.id = k.id`;
  const touchedBy = (events: readonly StoredEvent[]) => {
    const touched = new Map<string, { tenantId: string; id: string; row: Row | undefined }>();
    for (const event of events) {
      if (!rest.events.includes(event.type)) throw new Error(`${rest.name} does not take ${event.type}`);
      for (const id of keys(event))
        touched.set(`${event.tenantId}/${id}`, { tenantId: event.tenantId, id, row: undefined });
    }
    return touched;
  };
  /** Read once, because read tables keep their columns during the life of a process. */
  let write: string | undefined;
  return {
    ...rest,
    version,
    tables: [table],
    needsEvents: true,
    fold(rows, event) {
      for (const id of keys(event)) {
        const row = evolve(rows.get(id) as Row | undefined, event, id);
        if (row) rows.set(id, row);
        else rows.delete(id);
      }
    },
    reads({ events }) {
      const pairs = [...touchedBy(events).values()];
      if (pairs.length === 0) return [];
      const existing = {
        text: find,
        values: [pairs.map(({ tenantId }) => tenantId), pairs.map(({ id }) => id)],
      };
      return write ? [existing] : [existing, { text: COLUMNS, values: [table] }];
    },
    writes({ events, anew = false }, [existing = [], columns]) {
      const touched = touchedBy(events);
      if (!anew)
        for (const { tenant_id, id, row } of existing) touched.get(`${tenant_id}/${id}`)!.row = row as Row;
      for (const event of events) {
        for (const id of keys(event)) {
          const entry = touched.get(`${event.tenantId}/${id}`)!;
          entry.row = evolve(entry.row, event, id) ?? undefined;
        }
      }
      const pairs = [...touched.values()];
      const gone = pairs.filter(({ row }) => row === undefined);
      const rows = pairs.flatMap(({ tenantId, id, row }) =>
        row ? [{ ...row, tenant_id: tenantId, id }] : [],
      );
      if (columns) write = upsert(table, columns);
      const statements: Statement[] = [];
      if (gone.length > 0)
        statements.push({
          text: remove,
          values: [gone.map(({ tenantId }) => tenantId), gone.map(({ id }) => id)],
        });
      if (rows.length > 0) statements.push({ text: write!, values: [JSON.stringify(rows)] });
      return statements;
    },
  };
}

/**
 * A projection with one row for each stream of an aggregate, under the stream's id. It takes all events of the aggregate, so that
 * its fold may be that of the commands, as it is without an `evolve` of its own.
 */
export function stateProjection<State, Event extends DomainEvent, Row extends object = State & object>(
  aggregate: Aggregate<State, Event>,
  definition: {
    name: string;
    version?: number;
    topic: string;
    table: string;
    students?: Projection['students'];
    everyStudent?: string;
    evolve?: (row: Row | undefined, event: Taken<Event>, id: string) => NoInfer<Row> | null;
  },
): Projection {
  const folded = (row: Row | undefined, event: Event) =>
    (aggregate.evolve((row as State | undefined) ?? aggregate.initialState, event) ?? null) as Row | null;
  const { evolve = folded, ...rest } = definition;
  return rowProjection<Row, Event>({
    ...rest,
    events: Object.keys(aggregate.events),
    keys: ({ streamId }) => [streamId.slice(aggregate.name.length + 1)],
    evolve,
  });
}

/** Columns of a table but the generated ones. */
const COLUMNS = `select quote_ident(attname) as name from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;

function upsert(table: string, columns: readonly pg.QueryResultRow[]): string {
  const names = columns.map(({ name }) => name as string);
  const list = names.join(', ');
  const updates = names.map((name) => `${name} = excluded.${name}`).join(', ');
  return `insert into ${table} (${list}) select ${list} from jsonb_populate_recordset(null::${table}, $1)
    on conflict (tenant_id, id) do update set ${updates}`;
}
