import type pg from 'pg';
import { prepared } from '../database/pools.js';
import type { DomainEvent } from './aggregate.js';
import type { EventCodec, FactRow, PersonKeys } from './event-codec.js';
import type { Statement } from './guard.js';
import type { PersonalData } from './personal-data.js';

/**
 * Streams of tenant $1: the snapshots that the folds $3 have made of them, and the events after those; keys of persons $4.
 * Where it thinks of few events, Postgres would rather read all that the tenant has than each stream by its key: "offset 0"
 * leaves it no choice. Row security lets a column into the index beside `version`, a call of coalesce not.
 */
export const LOOK_UP = `with wanted as materialized (
    select w.stream_id, coalesce(s.version, 0) as version, s.state
    from unnest($2::text[], $3::int[]) as w(stream_id, fold)
    left join snapshots s on s.tenant_id = $1 and s.stream_id = w.stream_id and s.fold = w.fold
  )
  select $1::uuid as tenant_id, stream_id, version, null as type, null::smallint as schema_version, state as data,
    null::bytea as wrapped_key
  from wanted where state is not null
  union all
  select $1, w.stream_id, e.*, null from wanted w cross join lateral (
    select version, type, schema_version, data from events
    where tenant_id = $1 and stream_id = w.stream_id and version > w.version offset 0
  ) as e
  union all
  select $1, person_id::text, 0, null, null, null, wrapped_key
  from person_keys where tenant_id = $1 and person_id = any($4::uuid[])
  order by stream_id, version`;
const NEW_KEYS = `insert into person_keys (tenant_id, person_id, wrapped_key)
  select $1, * from unnest($2::uuid[], $3::bytea[])`;
/** Who had no key yet never gets one. */
const FORGET = `insert into person_keys as k (tenant_id, person_id, forgotten_at)
  select $1, *, now() from unnest($2::uuid[])
  on conflict (tenant_id, person_id) do update set wrapped_key = null, forgotten_at = excluded.forgotten_at
  where k.wrapped_key is not null`;

interface KeyRow {
  stream_id: string;
  type: null;
  data: null;
  wrapped_key: Buffer | null;
}

interface SnapshotRow {
  stream_id: string;
  version: number;
  type: null;
  data: object;
}

/** A stream: as it was kept last, if it was, and the events since. */
interface Found {
  snapshot?: { version: number; state: unknown };
  rows: FactRow[];
}

/** What is asked for in one turn of the event loop, and travels as one statement. */
interface LookUp {
  /** Number of the fold, by stream; null for those that are not kept as snapshots. */
  streams: Map<string, number | null>;
  persons: string[];
  found: Promise<Map<string, Found>>;
}

/** Streams of one tenant as one command reads them, under the tenant's lock, and the keys of the persons in them. */
export class StreamReader {
  /** Opened when first needed: most commands read few of the personal fields that they load. */
  readonly keys: PersonKeys = { get: (person) => this.keyOf(person) };
  /** Null for a person who was forgotten; persons without an entry have never had a key. */
  readonly wrapped = new Map<string, Buffer | null>();
  private readonly asked = new Set<string>();
  private readonly opened = new Map<string, Buffer>();
  private next: LookUp | undefined;

  constructor(
    private readonly client: pg.ClientBase,
    private readonly tenantId: string,
    private readonly codec: EventCodec,
    private readonly personalData: PersonalData,
  ) {}

  /**
   * The snapshot of a stream that this `fold` has made, if there is one, and the events after it in order, personal
   * fields in clear. `persons` are those who are probably in it.
   */
  async read(
    streamId: string,
    persons: readonly string[],
    fold: number | undefined,
  ): Promise<{ version: number; snapshot: Found['snapshot']; events: DomainEvent[] }> {
    const { snapshot, rows } = (await this.lookUp(persons, streamId, fold)).get(streamId)!;
    await this.lookUp(this.codec.personsOf(rows).map(({ personId }) => personId));
    return {
      version: rows.at(-1)?.version ?? snapshot?.version ?? 0,
      snapshot,
      events: rows.map((row) => ({ type: row.type, data: this.codec.decodeData(row, this.keys) })),
    };
  }

  /** Persons who appear for the first time get a key. Answers the statement that stores it, if there are any. */
  async provideKeys(persons: readonly string[]): Promise<Statement[]> {
    await this.lookUp(persons);
    const unknown = persons.filter((person) => !this.wrapped.has(person));
    if (unknown.length === 0) return [];
    const wrapped = unknown.map((person) => {
      const key = this.personalData.newKey();
      const sealed = this.personalData.wrap(key, this.tenantId, person);
      this.opened.set(person, key);
      this.wrapped.set(person, sealed);
      return sealed;
    });
    return [{ text: NEW_KEYS, values: [this.tenantId, unknown, wrapped] }];
  }

  /** The statement that destroys the keys of these persons, if there are any. */
  destroyKeys(persons: readonly string[]): Statement[] {
    return persons.length === 0 ? [] : [{ text: FORGET, values: [this.tenantId, persons] }];
  }

  private async lookUp(
    persons: readonly string[],
    streamId?: string,
    fold?: number,
  ): Promise<Map<string, Found>> {
    const unknown = persons.filter((person) => !this.asked.has(person));
    if (streamId === undefined && unknown.length === 0) return new Map();
    this.next ??= this.begin();
    if (streamId !== undefined) this.next.streams.set(streamId, fold ?? null);
    for (const person of unknown) this.asked.add(person);
    this.next.persons.push(...unknown);
    return this.next.found;
  }

  private begin(): LookUp {
    const lookUp: LookUp = {
      streams: new Map(),
      persons: [],
      found: Promise.resolve().then(() => this.send(lookUp)),
    };
    return lookUp;
  }

  private async send({ streams, persons }: LookUp): Promise<Map<string, Found>> {
    this.next = undefined;
    const { rows } = await this.client.query<FactRow | KeyRow | SnapshotRow>(
      prepared(LOOK_UP, [this.tenantId, [...streams.keys()], [...streams.values()], persons]),
    );
    const found = new Map<string, Found>([...streams.keys()].map((streamId) => [streamId, { rows: [] }]));
    for (const row of rows) {
      if (row.type !== null) found.get(row.stream_id)!.rows.push(row);
      else if (row.data === null) this.wrapped.set(row.stream_id, row.wrapped_key);
      else found.get(row.stream_id)!.snapshot = { version: row.version, state: row.data };
    }
    return found;
  }

  private keyOf(person: string): Buffer | undefined {
    const wrapped = this.wrapped.get(person);
    if (!this.opened.has(person) && wrapped)
      this.opened.set(person, this.personalData.unwrap(wrapped, this.tenantId, person));
    return this.opened.get(person);
  }
}
