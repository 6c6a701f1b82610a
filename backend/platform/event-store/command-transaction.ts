import type pg from 'pg';
import { settleAll } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { Problem } from '../http/problem.js';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import type { CommandContext } from './context.js';
import type { EventCodec, EventMeta } from './event-codec.js';
import type { Guard, Statement } from './guard.js';
import type { PersonalData } from './personal-data.js';
import { StreamReader } from './stream-reader.js';

const BEGIN = 'select * from begin_command($1, $2, $3, $4)';
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
  private readonly reader: StreamReader;
  private readonly begun: Promise<unknown>;

  constructor(
    private readonly client: pg.PoolClient,
    readonly context: CommandContext,
    private readonly command: string,
    /** The instant at which the command is decided. */
    readonly now: Date,
    private readonly codec: EventCodec,
    personalData: PersonalData,
    private readonly guards: readonly Guard[],
    opensTenant: boolean,
  ) {
    this.reader = new StreamReader(client, context.tenantId, codec, personalData);
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
    const [, read] = (await settleAll([
      this.begun,
      this.reader.read(stream, [id, this.context.tenantId]),
    ])) as [unknown, Awaited<ReturnType<StreamReader['read']>>];
    const state = (read.events as Event[]).reduce(
      (folded, event) => aggregate.evolve(folded, event),
      aggregate.initialState,
    );
    this.streams.set(stream, { aggregate, version: read.version, state });
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

  /** Writes events, keys of persons, guards and the answer, and commits. Answers the log's position. */
  async commit(answer: Answer): Promise<number> {
    await this.begun;
    const { tenantId, userId, idempotency } = this.context;
    const newKeys = await this.reader.provideKeys(this.persons());
    const meta: EventMeta = {
      actor: userId,
      device: this.context.device,
      request: this.context.requestId,
      command: this.command,
    };
    const rows = this.pending.map(({ streamId, version, event }) => {
      const { schemaVersion, data } = this.codec.encode(
        event,
        { tenantId, streamId, version },
        this.reader.keys,
      );
      return { stream_id: streamId, version, type: event.type, schema_version: schemaVersion, data };
    });
    const send = ({ text, values }: Statement) => this.client.query(prepared(text, values));
    const written = (await settleAll([
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
      ...newKeys.map(send),
      ...this.reader.destroyKeys(this.forgotten()).map(send),
      ...this.guardStatements().map(send),
      this.client.query(prepared('commit', [])),
    ])) as [pg.QueryResult<{ position: number }>];
    return written[0].rows[0]!.position;
  }

  get appended(): number {
    return this.pending.length;
  }

  private async begin(opensTenant: boolean): Promise<void> {
    const { tenantId, userId, idempotency } = this.context;
    const [, , result] = (await settleAll([
      this.client.query(prepared('begin', [])),
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

  /** Who is spoken of in what is to be appended. */
  private persons(): string[] {
    const persons = this.pending.map(({ event: { type, data } }) =>
      this.codec.personOf(type, data as Record<string, unknown>, this.context.tenantId),
    );
    return [...new Set(persons)].filter((person) => person !== undefined);
  }

  private forgotten(): string[] {
    return this.pending
      .map(({ event: { type, data } }) => this.codec.forgottenBy(type, data as Record<string, unknown>))
      .filter((person) => person !== undefined);
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
