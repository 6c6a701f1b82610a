import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type CompiledQuery, sql } from 'kysely';
import { Clock } from '../clock.js';
import { Database } from '../database/database.js';
import { type Blanks, statement } from '../database/statement.js';
import { TenantQueue } from '../database/tenant-queue.js';
import { EventCodec, type EventRow, type PersonKeys, type StoredEvent } from '../event-store/event-codec.js';
import { PersonalData } from '../event-store/personal-data.js';
import { FeatureRegistry } from '../features.js';
import { Problem } from '../http/problem.js';
import type { Projection } from './projection.js';

/** Events or rows per turn of the event loop, so that it is not held. */
const AT_ONCE = 250;

/** Read tables at a moment: the time that it is then, and what runs statements on them. */
export interface Tables {
  now: Date;
  read: <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;
}

export interface WantedTables {
  /** Tables of one row per id, or of a projection that says `asOf`. Of those that a statement reads besides, it sees the rows of today. */
  tables: readonly string[];
  /** Tables that are sums of these: how each is computed. */
  sums?: Readonly<Record<string, string>>;
  /** Whether personal texts are needed; else they are null. */
  inClear?: boolean;
  only?: readonly Part[];
}

/**
 * Of this table's events that have this field, only those in which it lies between these: the rows that are asked for. `streams`: and
 * all events of their streams, where the field can change.
 */
interface Part {
  of: string;
  field: string;
  first: string;
  last: string;
  streams?: boolean;
}

/** What the log says of these tables: folded rows of each as JSON, and selects for others. */
interface Past {
  position: number;
  rows: ReadonlyMap<string, string>;
  selects: readonly (readonly [table: string, select: string])[];
}

/**
 * Read tables as they were: their projections fold the log up to a moment, and the statement of today runs on these rows. So an
 * answer about the past needs no rules of its own, and none of what was recorded later. What was forgotten since stays forgotten.
 */
@Injectable()
export class PastTables {
  /** One at a time for each tenant. */
  private readonly folding = new TenantQueue({ atOnce: 1, maxWaiting: 20, maxWaitMs: 10_000 });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly features: FeatureRegistry,
    private readonly codec: EventCodec,
    private readonly personalData: PersonalData,
  ) {}

  /**
   * Without a moment: the tables of now.
   * @throws Problem 422 for a moment to come, or before the account
   */
  async at(tenantId: string, at: string | undefined, wanted: WantedTables): Promise<Tables> {
    const now = this.clock.now();
    if (at === undefined) return { now, read: (query) => this.database.read(tenantId, query) };
    const past = await this.folding.run(tenantId, () => this.rowsAt(tenantId, at, wanted));
    return {
      now: new Date(at),
      read: (query) => this.database.report(tenantId, inPast(query, past, wanted)),
    };
  }

  private async rowsAt(tenantId: string, at: string, wanted: WantedTables): Promise<Past> {
    const position = await this.positionAt(tenantId, at);
    const projections = [...new Set(wanted.tables.map((table) => this.projectionOf(table)))];
    const selects = projections.flatMap(({ asOf = {} }) => Object.entries(asOf));
    const folding = projections.filter((projection) => projection.fold !== undefined);
    const types = [...new Set(folding.flatMap(({ events }) => events))];
    const events = await this.eventsOf(tenantId, position, types, wanted.only);
    const keys = wanted.inClear ? await this.keysOf(tenantId, events) : NO_KEYS;
    const folded = folding.map((): Map<string, object> => new Map());
    for (const portion of portions(events)) {
      for (const row of portion) {
        const event = this.eventOf(row, keys);
        for (const [index, projection] of folding.entries())
          if (projection.events.includes(row.type)) projection.fold!(folded[index]!, event);
      }
      await nextTurn();
    }
    const rows = new Map<string, string>();
    for (const [index, { tables }] of folding.entries())
      rows.set(tables[0]!, await jsonOf(tenantId, folded[index]!));
    return { position, rows, selects };
  }

  private async eventsOf(tenantId: string, position: number, types: string[], parts: readonly Part[] = []) {
    const left = new Set(types);
    const events: EventRow[] = [];
    for (const { of: table, ...part } of parts) {
      const ofTable = this.projectionOf(table).events.filter((type) => left.delete(type));
      const asked = { types: ofTable, position, ...part };
      events.push(
        ...(await this.database.report(tenantId, part.streams ? logOfStreams(asked) : logWhere(asked))),
      );
    }
    events.push(...(await this.database.report(tenantId, log({ types: [...left], position }))));
    return parts.length === 0 ? events : events.sort((one, other) => one.position - other.position);
  }

  /** The last position that was recorded by then: clocks may have been set back, and positions never go back. */
  async positionAt(tenantId: string, at: string): Promise<number> {
    const errors = (detail: string) => ({ errors: [{ pointer: '/at', detail }] });
    if (at > this.clock.now().toISOString())
      throw new Problem('past.not_yet', errors('Escolha um momento que já passou'));
    const [row] = await this.database.report(tenantId, moment({ at }));
    if (row?.position == null)
      throw new Problem('past.before_account', errors('Escolha um momento depois da criação da conta'));
    return row.position;
  }

  private eventOf(row: EventRow, keys: PersonKeys): StoredEvent {
    const { tenant_id: tenantId, stream_id: streamId, recorded_at: recordedAt, ...rest } = row;
    const data = this.codec.decodeData(row, keys);
    return { ...rest, tenantId, streamId, recordedAt, data, isAsStored: false };
  }

  private projectionOf(table: string): Projection {
    const found = this.features.all.projections.find(({ tables }) => tables.includes(table));
    if (!found?.fold && !found?.asOf) throw new Error(`${table} cannot be read as it was`);
    return found;
  }

  private async keysOf(tenantId: string, rows: readonly EventRow[]): Promise<PersonKeys> {
    const ids = new Set<string>();
    for (const some of portions(rows)) {
      for (const { keyId } of this.codec.keysOfAll(some)) ids.add(keyId);
      await nextTurn();
    }
    const found = await this.database.report(tenantId, keysOfPersons({ ids: [...ids] }));
    const wrapped = new Map(found.map(({ person_id, wrapped_key }) => [person_id, wrapped_key]));
    const opened = new Map<string, Buffer>();
    return {
      get: (person) => {
        const sealed = wrapped.get(person);
        if (sealed && !opened.has(person))
          opened.set(person, this.personalData.unwrap(sealed, tenantId, person));
        return opened.get(person);
      },
    };
  }
}

const NO_KEYS: PersonKeys = new Map<string, Buffer>();

function* portions<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) yield items.slice(at, at + AT_ONCE);
}

async function jsonOf(tenant_id: string, rows: ReadonlyMap<string, object>): Promise<string> {
  const written: string[] = [];
  for (const some of portions([...rows])) {
    written.push(...some.map(([id, row]) => JSON.stringify({ ...row, tenant_id, id })));
    await nextTurn();
  }
  return `[${written.join()}]`;
}

/** The statement, with these tables and sums in the place of those that have the same names. Rows that it does not name are not sent. */
function inPast<Row>(query: CompiledQuery<Row>, past: Past, { sums = {} }: WantedTables): CompiledQuery<Row> {
  const at = query.parameters.length + 1;
  const named = [query.sql, ...past.selects.map(([, text]) => text), ...Object.values(sums)].join(' ');
  const rows = [...past.rows].filter(([table]) => new RegExp(`\\b${table}\\b`).test(named));
  const tables = [
    ['moment', `select $${at}::bigint as position`],
    ...rows.map(([table], index) => [
      table,
      `select * from jsonb_populate_recordset(null::${table}, $${at + 1 + index}::jsonb)`,
    ]),
    ...past.selects,
    ...Object.entries(sums),
  ];
  return {
    ...query,
    sql: `with ${tables.map(([table, text]) => `${table} as (${text})`).join(', ')} select * from (${query.sql}) as answer`,
    parameters: [...query.parameters, past.position, ...rows.map(([, json]) => json)],
  };
}

const moment = statement((db, { at }: Blanks<{ at: string }>) =>
  sql<{
    position: number | null;
  }>`select (select position from events where recorded_at <= ${at}::timestamptz order by position desc limit 1) as position`.compile(
    db,
  ),
);

interface AskedLog {
  types: readonly string[];
  position: number;
}
type AskedPart = AskedLog & Omit<Part, 'of' | 'streams'>;

const ofTypes = ({ types, position }: Blanks<AskedLog>) =>
  sql`position <= ${position}::bigint and type = any(${types}::text[])`;
const within = ({ field, first, last }: Blanks<Pick<AskedPart, 'field' | 'first' | 'last'>>) =>
  sql`data ->> ${field}::text between ${first}::text and ${last}::text`;
const COLUMNS = sql`tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at`;

const log = statement((db, asked: Blanks<AskedLog>) =>
  sql<EventRow>`select ${COLUMNS} from events where ${ofTypes(asked)} order by position`.compile(db),
);
const logWhere = statement((db, asked: Blanks<AskedPart>) =>
  sql<EventRow>`select ${COLUMNS} from events where ${ofTypes(asked)} and coalesce(${within(asked)}, true)`.compile(
    db,
  ),
);
const logOfStreams = statement((db, asked: Blanks<AskedPart>) =>
  sql<EventRow>`select ${COLUMNS} from events where ${ofTypes(asked)}
    and stream_id in (select stream_id from events where ${ofTypes(asked)} and ${within(asked)})`.compile(db),
);

const keysOfPersons = statement((db, { ids }: Blanks<{ ids: string[] }>) =>
  sql<{ person_id: string; wrapped_key: Buffer }>`select person_id, wrapped_key from person_keys
    where person_id = any(${ids}::uuid[]) and wrapped_key is not null`.compile(db),
);
