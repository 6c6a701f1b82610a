import type pg from 'pg';
import { prepared } from '../database/pools.js';
import type { DomainEvent } from './aggregate.js';
import type { EventCodec, FactRow, PersonKeys } from './event-codec.js';
import type { Statement } from './guard.js';
import type { PersonalData } from './personal-data.js';

const LOOK_UP = `select tenant_id, stream_id, version, type, schema_version, data, null as wrapped_key
  from events where tenant_id = $1 and stream_id = any($2::text[])
  union all
  select tenant_id, person_id::text, 0, null, null, null, wrapped_key
  from person_keys where tenant_id = $1 and person_id = any($3::uuid[])
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
  wrapped_key: Buffer | null;
}

/** What is asked for in one turn of the event loop, and travels as one statement. */
interface LookUp {
  streams: string[];
  persons: string[];
  found: Promise<Map<string, FactRow[]>>;
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

  /** Events of a stream in order, personal fields in clear. `persons` are those who are probably in it. */
  async read(
    streamId: string,
    persons: readonly string[],
  ): Promise<{ version: number; events: DomainEvent[] }> {
    const rows = (await this.lookUp(streamId, persons)).get(streamId) ?? [];
    await this.lookUp(
      undefined,
      this.codec.personsOf(rows).map(({ personId }) => personId),
    );
    return {
      version: rows.at(-1)?.version ?? 0,
      events: rows.map((row) => ({ type: row.type, data: this.codec.decodeData(row, this.keys) })),
    };
  }

  /** Persons who appear for the first time get a key. Answers the statement that stores it, if there are any. */
  async provideKeys(persons: readonly string[]): Promise<Statement[]> {
    await this.lookUp(undefined, persons);
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
    streamId: string | undefined,
    persons: readonly string[],
  ): Promise<Map<string, FactRow[]>> {
    const unknown = persons.filter((person) => !this.asked.has(person));
    if (streamId === undefined && unknown.length === 0) return new Map();
    this.next ??= this.begin();
    if (streamId !== undefined) this.next.streams.push(streamId);
    for (const person of unknown) this.asked.add(person);
    this.next.persons.push(...unknown);
    return this.next.found;
  }

  private begin(): LookUp {
    const lookUp: LookUp = {
      streams: [],
      persons: [],
      found: Promise.resolve().then(() => this.send(lookUp)),
    };
    return lookUp;
  }

  private async send({ streams, persons }: LookUp): Promise<Map<string, FactRow[]>> {
    this.next = undefined;
    const { rows } = await this.client.query<FactRow | KeyRow>(
      prepared(LOOK_UP, [this.tenantId, streams, persons]),
    );
    const found = new Map<string, FactRow[]>(streams.map((streamId) => [streamId, []]));
    for (const row of rows) {
      if (row.type === null) this.wrapped.set(row.stream_id, row.wrapped_key);
      else found.get(row.stream_id)!.push(row);
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
