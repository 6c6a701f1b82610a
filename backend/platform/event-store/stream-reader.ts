import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchPerTurn } from '../database/batch.js';
import type { DomainEvent } from './aggregate.js';
import type { EventCodec, FactRow, PersonKeys } from './event-codec.js';
import type { Statement } from '../database/batch.js';
import type { PersonalData } from './personal-data.js';
import type { KeyReference } from './personal-fields.js';

/**
 * Streams of tenant $1: their snapshots of the folds $3, and the events after those; keys of persons $4. Postgres would
 * read all events of a tenant where it expects few; "offset 0" forces an index look-up for each stream. Under row
 * security only a plain column can be compared in the index, not a call of coalesce.
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
const NEW_KEYS = `insert into person_keys (tenant_id, person_id, wrapped_key, retained_person, retained_name, retained_until)
  select $1, * from unnest($2::uuid[], $3::bytea[], $4::uuid[], $5::text[], $6::date[])`;
/** A person without a key gets a row without one, so that no key is created later. */
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

/** A stream: its last snapshot, if there is one, and the events after it. */
interface Found {
  snapshot?: { version: number; state: unknown };
  rows: FactRow[];
}

/** Streams that are decrypted and folded in one turn of the event loop: a few milliseconds. */
const AT_ONCE = 25;

/** Everything that is requested in one turn of the event loop, read by one statement. */
interface LookUp {
  /** Fold version by stream; null for streams without snapshots. */
  streams: Map<string, number | null>;
  persons: string[];
  found: Promise<Map<string, Found>>;
}

/** Reads the streams of one tenant for one command, under the tenant's lock, and the keys of the persons in them. */
export class StreamReader {
  /** Unwrapped when first needed: most commands read few of the personal fields that they load. */
  readonly keys: PersonKeys = { get: (person) => this.keyOf(person) };
  /** Null for a person who was forgotten; persons without an entry have never had a key. */
  private readonly wrapped = new Map<string, Buffer | null>();
  private readonly asked = new Set<string>();
  readonly opened = new Map<string, Buffer>();
  private next: LookUp | undefined;
  private reads = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private expected: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly statements: Pick<BatchPerTurn, 'query'>,
    private readonly tenantId: string,
    private readonly codec: EventCodec,
    private readonly personalData: PersonalData,
  ) {}

  /**
   * The snapshot of a stream by this `fold`, if there is one, and the events after it in order, personal fields
   * decrypted. `persons` are those who are probably in it.
   */
  async read(
    streamId: string,
    persons: readonly string[],
    fold: number | undefined,
  ): Promise<{ version: number; snapshot: Found['snapshot']; events: DomainEvent[] }> {
    const { snapshot, rows } = (await this.lookUp(persons, streamId, fold)).get(streamId)!;
    await this.lookUp(this.codec.keysOfAll(rows).map(({ keyId }) => keyId));
    this.reads += 1;
    if (this.reads % AT_ONCE === 0) this.turn = this.turn.then(() => nextTurn());
    await this.turn;
    return {
      version: rows.at(-1)?.version ?? snapshot?.version ?? 0,
      snapshot,
      events: rows.map((row) => ({ type: row.type, data: this.codec.decodeData(row, this.keys) })),
    };
  }

  /** Announces keys: they are read with the streams that are read next. */
  expect(ids: readonly string[]): void {
    this.expected = this.lookUp(ids);
    // Awaited later; until then a failure must not count as an unhandled rejection.
    this.expected.catch(() => undefined);
  }

  /**
   * Creates the keys that are used for the first time; none for a forgotten person. Returns the statement that stores
   * them, if there are any.
   */
  async provideKeys(needed: readonly KeyReference[]): Promise<Statement[]> {
    const persons = needed.flatMap(({ retained }) => (retained ? [retained.person] : []));
    const own = [...new Set(persons)].map((id): KeyReference => ({ id }));
    const all = [...new Map([...own, ...needed].map((key) => [key.id, key])).values()];
    await Promise.all([this.expected, this.lookUp(all.map(({ id }) => id))]);
    const unknown = all.filter(
      ({ id, retained }) =>
        !this.wrapped.has(id) && !(retained && this.wrapped.get(retained.person) === null),
    );
    if (unknown.length === 0) return [];
    const wrapped = unknown.map(({ id }) => {
      const key = this.personalData.newKey();
      const sealed = this.personalData.wrap(key, this.tenantId, id);
      this.opened.set(id, key);
      this.wrapped.set(id, sealed);
      return sealed;
    });
    const retained = (part: 'person' | 'name' | 'until') =>
      unknown.map((key) => key.retained?.[part] ?? null);
    const values = [
      unknown.map(({ id }) => id),
      wrapped,
      retained('person'),
      retained('name'),
      retained('until'),
    ];
    return [{ text: NEW_KEYS, values: [this.tenantId, ...values] }];
  }

  /** The statement that destroys these keys, if there are any. */
  destroyKeys(ids: readonly string[]): Statement[] {
    return ids.length === 0 ? [] : [{ text: FORGET, values: [this.tenantId, ids] }];
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
    const values = [this.tenantId, [...streams.keys()], [...streams.values()], persons];
    const rows = await this.statements.query<FactRow | KeyRow | SnapshotRow>(LOOK_UP, values);
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
