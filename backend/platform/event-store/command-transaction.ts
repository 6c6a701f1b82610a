import type pg from 'pg';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import type { CommandContext } from './context.js';
import type { EventCodec, EventMeta, PersonKeys } from './event-codec.js';
import type { Guard, Statement } from './guard.js';
import { isSnapshotDue, takeSnapshot } from './snapshots.js';

const RECORD = 'select record_command($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as head';

/** What a command answers: ids, numbers and states, never personal data, because it is stored for replays. */
export type Answer = Record<string, string | number | boolean | null | readonly string[]>;

/** A tenant's log at one moment. */
export interface LogHead {
  readonly position: number;
  /** Hash of the last event, which stands for every event before it. */
  readonly hash: Buffer;
}

/** An aggregate as its events fold. */
export interface FoldedStream {
  readonly version: number;
  readonly state: unknown;
  /** Version of its last snapshot; 0: there is none. */
  readonly snapshot: number;
}

/** Wrapped keys by person; null for who was forgotten. Who is not among them has no key yet, or was not asked for. */
export type WrappedKeys = ReadonlyMap<string, Buffer | null>;

interface PendingEvent {
  streamId: string;
  version: number;
  event: DomainEvent;
}

/** The command itself: who asks, its class name, when it is decided. */
export interface CommandOccasion {
  readonly context: CommandContext;
  readonly name: string;
  readonly now: Date;
}

/** One command: what it reads, decides on and appends. What it appends is written in one go at the end. */
export abstract class CommandTransaction {
  readonly context: CommandContext;
  /** The instant at which the command is decided. */
  readonly now: Date;
  /** Streams that were loaded or appended to, as they are after the command. */
  readonly streams = new Map<string, FoldedStream>();
  private readonly pending: PendingEvent[] = [];
  /** Number of the fold, by stream: those that were appended to and are kept as snapshots. */
  private readonly grown = new Map<string, number>();
  private readonly name: string;

  constructor(
    { context, name, now }: CommandOccasion,
    private readonly codec: EventCodec,
    private readonly guards: readonly Guard[],
  ) {
    this.context = context;
    this.name = name;
    this.now = now;
  }

  /** State of an aggregate as it is now. Several loads under `Promise.all` travel together. */
  async load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
  ): Promise<State> {
    const key = streamId(aggregate, id);
    let stream = this.streams.get(key);
    if (!stream) {
      stream = await this.read(aggregate, id);
      this.streams.set(key, stream);
    }
    return stream.state as State;
  }

  /** Adds events to a stream; one that was not loaded is new. */
  append<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    events: readonly Event[],
  ): void {
    const key = streamId(aggregate, id);
    const before = this.streams.get(key);
    let version = before?.version ?? 0;
    let state = before ? (before.state as State) : aggregate.initialState;
    for (const event of events) {
      version += 1;
      state = aggregate.evolve(state, event);
      this.pending.push({ streamId: key, version, event });
    }
    this.streams.set(key, { version, state, snapshot: before?.snapshot ?? 0 });
    if (aggregate.fold !== undefined) this.grown.set(key, aggregate.fold);
  }

  get appended(): number {
    return this.pending.length;
  }

  /** A look at guard tables, or a write to a table that belongs to the command (accounts), under the tenant's lock. */
  abstract query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>;

  /** A look that refuses what a guard refuses too, in better words. */
  abstract foresee(look: () => Promise<void>): Promise<void>;

  protected abstract read(
    aggregate: Aggregate<unknown, DomainEvent>,
    id: string,
  ): FoldedStream | Promise<FoldedStream>;

  /** Who is spoken of in what is to be appended. */
  protected persons(): string[] {
    const persons = this.pending.map(({ event: { type, data } }) =>
      this.codec.personOf(type, data as Record<string, unknown>, this.context.tenantId),
    );
    return [...new Set(persons)].filter((person) => person !== undefined);
  }

  /** Whom what is to be appended forgets. */
  protected forgotten(): string[] {
    return this.pending
      .map(({ event: { type, data } }) => this.codec.forgottenBy(type, data as Record<string, unknown>))
      .filter((person) => person !== undefined);
  }

  /** The statement that appends the events to the log as it was when the command was decided, and keeps the answer. */
  protected record(log: LogHead, answer: Answer, keys: PersonKeys): Statement {
    const { tenantId, userId, idempotency } = this.context;
    const meta: EventMeta = {
      actor: userId,
      device: this.context.device,
      request: this.context.requestId,
      command: this.name,
    };
    const rows = this.pending.map(({ streamId, version, event }) => {
      const { schemaVersion, data } = this.codec.encode(event, { tenantId, streamId, version }, keys);
      return { stream_id: streamId, version, type: event.type, schema_version: schemaVersion, data };
    });
    return {
      text: RECORD,
      values: [
        tenantId,
        log.position,
        log.hash,
        JSON.stringify(rows),
        JSON.stringify(meta),
        userId,
        idempotency?.scope ?? null,
        idempotency?.key ?? null,
        idempotency?.bodyHash ?? null,
        JSON.stringify(answer),
      ],
    };
  }

  /** Statements that keep the streams which have grown enough since they were last kept. */
  protected snapshotStatements(): Statement[] {
    return [...this.grown].flatMap(([key, fold]) => {
      const stream = this.streams.get(key)!;
      if (!isSnapshotDue(stream)) return [];
      this.streams.set(key, { ...stream, snapshot: stream.version });
      return [takeSnapshot(this.context.tenantId, key, fold, stream)];
    });
  }

  protected guardStatements(): Statement[] {
    return this.pending.flatMap(({ streamId, event }) => {
      const data = event.data as Record<string, unknown>;
      const seen = { tenantId: this.context.tenantId, streamId, type: event.type, data };
      return this.guards
        .filter((guard) => guard.events.includes(event.type))
        .flatMap((guard) => guard.statements(seen));
    });
  }
}
