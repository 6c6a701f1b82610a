import type pg from 'pg';
import { settleAll } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { Problem } from '../http/problem.js';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import type { CommandContext } from './context.js';
import type { EventCodec, EventMeta, EventRow } from './event-codec.js';
import type { Guard, Statement } from './guard.js';
import type { PersonalData } from './personal-data.js';

const BEGIN = 'select * from begin_command($1, $2, $3, $4)';
const LOAD = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at
  from events where tenant_id = $1 and stream_id = $2 order by version`;
const KEYS =
  'select person_id, wrapped_key from person_keys where tenant_id = $1 and person_id = any($2::uuid[])';
const NEW_KEYS = `insert into person_keys (tenant_id, person_id, wrapped_key)
  select $1, * from unnest($2::uuid[], $3::bytea[])`;
const FINISH = 'select finish_command($1, $2, $3, $4, $5, $6, $7, $8) as position';

/** What a command answers: ids, numbers and states, never personal data, because it is stored for replays. */
export type Answer = Record<string, string | number | boolean | null | readonly string[]>;

/** Ends a command whose Idempotency-Key was answered before. */
export class Replay extends Error {
  constructor(
    readonly answer: Answer,
    readonly position: number,
  ) {
    super('answered before under the same Idempotency-Key');
  }
}

interface LoadedStream {
  aggregate: Aggregate<unknown, DomainEvent>;
  version: number;
  state: unknown;
}

interface PendingEvent {
  streamId: string;
  version: number;
  event: DomainEvent;
}

interface BeginRow {
  log_position: number | null;
  stored_body_hash: string | null;
  stored_answer: Answer | null;
  stored_position: number | null;
}

/**
 * One command: what it reads is read under its tenant's lock, what it appends is written in one go at the end.
 * Everything sent before the first `await` shares one round trip with `begin`.
 */
export class CommandTransaction {
  private readonly streams = new Map<string, LoadedStream>();
  private readonly pending: PendingEvent[] = [];
  private readonly keys = new Map<string, Buffer>();
  private readonly knownPersons = new Set<string>();
  private readonly begun: Promise<unknown>;

  constructor(
    private readonly client: pg.PoolClient,
    readonly context: CommandContext,
    private readonly command: string,
    /** The instant at which the command is decided. */
    readonly now: Date,
    private readonly codec: EventCodec,
    private readonly personalData: PersonalData,
    private readonly guards: readonly Guard[],
    opensTenant: boolean,
  ) {
    this.begun = this.begin(opensTenant);
    // Heard where it is awaited; until then a failure must not count as unhandled.
    this.begun.catch(() => undefined);
  }

  /** State of an aggregate as it is now. Several loads under `Promise.all` travel together. */
  async load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
  ): Promise<State> {
    const stream = streamId(aggregate, id);
    const loaded = this.streams.get(stream);
    if (loaded) return loaded.state as State;
    const persons = [id, this.context.tenantId];
    const [, , { rows }] = (await settleAll([
      this.begun,
      this.loadKeys(persons),
      this.client.query<EventRow>(prepared(LOAD, [this.context.tenantId, stream])),
    ])) as [unknown, unknown, pg.QueryResult<EventRow>];
    await this.loadKeys(this.codec.personsOf(rows).map(({ personId }) => personId));
    let state = aggregate.initialState;
    for (const row of rows) {
      const { type, data } = this.codec.decode(row, this.keys);
      state = aggregate.evolve(state, { type, data } as Event);
    }
    this.streams.set(stream, {
      aggregate,
      version: rows.at(-1)?.version ?? 0,
      state,
    });
    return state;
  }

  /** Adds events to a stream; one that was not loaded is new. */
  append<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    events: readonly Event[],
  ): void {
    const key = streamId(aggregate, id);
    let stream = this.streams.get(key);
    if (!stream) {
      stream = {
        aggregate: aggregate as unknown as Aggregate<unknown, DomainEvent>,
        version: 0,
        state: aggregate.initialState,
      };
      this.streams.set(key, stream);
    }
    for (const event of events) {
      stream.version += 1;
      stream.state = stream.aggregate.evolve(stream.state, event);
      this.pending.push({ streamId: key, version: stream.version, event });
    }
  }

  /** A look at guard tables, or a write to a table that belongs to the command (accounts), under the tenant's lock. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const [, result] = await settleAll([this.begun, this.client.query<Row>(prepared(text, values))]);
    return (result as pg.QueryResult<Row>).rows;
  }

  /** Writes events, guards and the answer, and commits. Answers the log's position. */
  async commit(answer: Answer): Promise<number> {
    await this.begun;
    await this.provideKeys();
    const { tenantId, userId, idempotency } = this.context;
    const meta: EventMeta = {
      actor: userId,
      device: this.context.device,
      request: this.context.requestId,
      command: this.command,
    };
    const rows = this.pending.map(({ streamId, version, event }) => {
      const { schemaVersion, data } = this.codec.encode(event, { tenantId, streamId, version }, this.keys);
      return { stream_id: streamId, version, type: event.type, schema_version: schemaVersion, data };
    });
    const [finished] = (await settleAll([
      this.client.query<{ position: number }>(
        prepared(FINISH, [
          tenantId,
          JSON.stringify(rows),
          JSON.stringify(meta),
          userId,
          idempotency?.scope ?? null,
          idempotency?.key ?? null,
          idempotency?.bodyHash ?? null,
          JSON.stringify(answer),
        ]),
      ),
      ...this.guardStatements().map(({ text, values }) => this.client.query(prepared(text, values))),
      this.client.query('commit'),
    ])) as [pg.QueryResult<{ position: number }>];
    return finished.rows[0]!.position;
  }

  get appended(): number {
    return this.pending.length;
  }

  private async begin(opensTenant: boolean): Promise<void> {
    const { tenantId, userId, idempotency } = this.context;
    const [, , result] = (await settleAll([
      this.client.query('begin'),
      opensTenant ? this.client.query(prepared('select open_tenant($1)', [tenantId])) : undefined,
      this.client.query<BeginRow>(
        prepared(BEGIN, [tenantId, userId, idempotency?.scope ?? null, idempotency?.key ?? null]),
      ),
    ] as Promise<unknown>[])) as [unknown, unknown, pg.QueryResult<BeginRow>];
    const row = result.rows[0];
    if (row?.log_position == null) throw new Problem('not_found');
    if (row.stored_answer === null || !idempotency) return;
    if (row.stored_body_hash !== idempotency.bodyHash) throw new Problem('idempotency.key_reused');
    throw new Replay(row.stored_answer, row.stored_position!);
  }

  private async loadKeys(persons: readonly string[]): Promise<void> {
    const missing = persons.filter((person) => !this.knownPersons.has(person));
    if (missing.length === 0) return;
    for (const person of missing) this.knownPersons.add(person);
    const { tenantId } = this.context;
    const { rows } = await this.client.query<{ person_id: string; wrapped_key: Buffer | null }>(
      prepared(KEYS, [tenantId, missing]),
    );
    const found = new Set<string>();
    for (const { person_id, wrapped_key } of rows) {
      found.add(person_id);
      if (wrapped_key) this.keys.set(person_id, this.personalData.unwrap(wrapped_key, tenantId, person_id));
    }
    for (const person of missing) if (!found.has(person)) this.knownPersons.delete(person);
  }

  /** Persons who appear for the first time get a key in the same transaction. */
  private async provideKeys(): Promise<void> {
    const { tenantId } = this.context;
    const persons = new Set<string>();
    for (const { event } of this.pending) {
      const person = this.codec.personOf(event.type, event.data as Record<string, unknown>, tenantId);
      if (person !== undefined) persons.add(person);
    }
    await this.loadKeys([...persons]);
    const unknown = [...persons].filter((person) => !this.knownPersons.has(person));
    if (unknown.length === 0) return;
    const wrapped = unknown.map((person) => {
      const key = this.personalData.newKey();
      this.keys.set(person, key);
      return this.personalData.wrap(key, tenantId, person);
    });
    await this.client.query(prepared(NEW_KEYS, [tenantId, unknown, wrapped]));
  }

  private guardStatements(): Statement[] {
    return this.pending.flatMap(({ streamId, event }) => {
      const data = event.data as Record<string, unknown>;
      const seen = { tenantId: this.context.tenantId, streamId, type: event.type, data };
      return this.guards
        .filter((guard) => guard.events.includes(event.type))
        .flatMap((guard) => guard.statements(seen));
    });
  }
}
