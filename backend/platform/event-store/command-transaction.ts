import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import type { Query } from '../database/database.js';
import { inTurns } from '../turns.js';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import type { CommandContext } from './context.js';
import type { EventCodec, EventMeta, PersonKeys } from './event-codec.js';
import type { Statement } from '../database/batch.js';
import type { Guard } from './guard.js';
import type { KeyReference } from './personal-fields.js';
import { isSnapshotDue, takeSnapshot } from './snapshots.js';

/** Events that are written, and loads that are answered, in one turn of the event loop: a few milliseconds. */
const AT_ONCE = 100;
const LOADS_AT_ONCE = 25;

const RECORD = 'select record_command($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as head';

/** The answer of a command: ids, numbers and states, never personal data, because it is stored for replays. */
export type Answer = Record<string, string | number | boolean | null | readonly string[]>;

/** A tenant's log at one moment. */
export interface LogHead {
  readonly position: number;
  /** Hash of the last event, which covers all events before it. */
  readonly hash: Buffer;
}

/** State of a stream, folded from its events. */
export interface FoldedStream {
  readonly version: number;
  readonly state: unknown;
  /** Version of its last snapshot; 0: there is none. */
  readonly snapshot: number;
}

/** A query over the tenant's tables: `$1` is the tenant, the arguments follow. */
export interface LookUp<Row extends pg.QueryResultRow, Args extends readonly unknown[]> {
  readonly text: string;
  /** It finds only what a guard refuses as well: a command that is decided on memory goes without it. */
  readonly isGuarded: boolean;
  /** Never set; carries the types of row and arguments. */
  readonly types?: { row: Row; args: Args };
}

export function defineLookUp<Row extends pg.QueryResultRow, Args extends readonly unknown[]>(
  text: string,
  { isGuarded = false } = {},
): LookUp<Row, Args> {
  return { text, isGuarded };
}

/**
 * Interface of the work of a command. It reads by `load` and `lookUp`, and collects events and effects. Nothing is
 * written before the work has ended, so the work can run again.
 */
export interface CommandTransaction {
  readonly context: CommandContext;
  /** The time of the decision. */
  readonly now: Date;
  /** Number of events appended so far. */
  readonly appended: number;
  /**
   * State of an aggregate, including the events that this command has appended. Several loads under `Promise.all` share
   * one round trip.
   */
  load<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, id: string): Promise<State>;
  lookUp<Row extends pg.QueryResultRow, Args extends readonly unknown[]>(
    query: LookUp<Row, Args>,
    ...args: Args
  ): Promise<Row[]>;
  /**
   * Announces that an event of this type will be appended, so that the retention keys of its texts are read together with the
   * next load. `data`: one of the texts, and the fields that determine the key.
   */
  expect(type: string, data: Record<string, unknown>): void;
  /** Adds events to a stream; one that was not loaded is new. */
  append<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    events: readonly Event[],
  ): void;
  /** Runs inside the transaction, under the tenant's lock, before the events are written. An error refuses the command. */
  inTransaction(effect: (query: Query) => Promise<unknown>): void;
  /** Runs once the command is committed; not for a replayed answer. */
  afterCommit(effect: () => void): void;
}

/** Where a command's state comes from: the database, read under the tenant's lock, or what the process remembers. */
export interface CommandState {
  read(aggregate: Aggregate<unknown, DomainEvent>, id: string): Promise<FoldedStream>;
  lookUp(
    query: LookUp<pg.QueryResultRow, readonly unknown[]>,
    args: readonly unknown[],
  ): Promise<pg.QueryResultRow[]>;
  /** Announces keys that will be needed. */
  expect(keys: readonly string[]): void;
}

/** The command that is being decided: its caller, name and time. */
export interface CommandOccasion {
  readonly context: CommandContext;
  readonly name: string;
  readonly now: Date;
}

/** An event that a command would record, and the state of its stream after the command. */
export interface ForeseenEvent extends DomainEvent {
  state: unknown;
}

interface PendingEvent {
  streamId: string;
  version: number;
  event: DomainEvent;
}

/** A command while it is decided: the state that it has read, and the events and effects to be written. */
export class PendingCommand implements CommandTransaction {
  readonly context: CommandContext;
  readonly now: Date;
  /** Streams that were loaded or appended to, in their state after the command, also for the commands after it. */
  readonly streams = new Map<string, FoldedStream>();
  readonly effects: ((query: Query) => Promise<unknown>)[] = [];
  readonly followUps: (() => void)[] = [];
  private readonly pending: PendingEvent[] = [];
  private loads = 0;
  /** Fold version by stream, for streams that were appended to and have snapshots. */
  private readonly grown = new Map<string, number>();
  private readonly name: string;

  constructor(
    { context, name, now }: CommandOccasion,
    private readonly state: CommandState,
    private readonly codec: EventCodec,
    private readonly guards: readonly Guard[],
    private readonly guardSet: string,
  ) {
    this.context = context;
    this.name = name;
    this.now = now;
  }

  async load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
  ): Promise<State> {
    const key = streamId(aggregate, id);
    if (!this.streams.has(key)) {
      const stream = await this.state.read(aggregate, id);
      // Another load of it may have ended in an earlier turn, and events may have been appended since.
      if (!this.streams.has(key)) this.streams.set(key, stream);
    }
    // A command about hundreds of streams reads them again and again, without a round trip.
    this.loads += 1;
    if (this.loads % LOADS_AT_ONCE === 0) await nextTurn();
    return this.streams.get(key)!.state as State;
  }

  lookUp<Row extends pg.QueryResultRow, Args extends readonly unknown[]>(
    query: LookUp<Row, Args>,
    ...args: Args
  ): Promise<Row[]> {
    return this.state.lookUp(query, args) as Promise<Row[]>;
  }

  expect(type: string, data: Record<string, unknown>): void {
    this.state.expect(this.codec.keysOf(type, data, this.context.tenantId).map(({ id }) => id));
  }

  append<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    id: string,
    events: readonly Event[],
  ): void {
    if (events.length === 0) return;
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

  inTransaction(effect: (query: Query) => Promise<unknown>): void {
    this.effects.push(effect);
  }

  afterCommit(effect: () => void): void {
    this.followUps.push(effect);
  }

  get appended(): number {
    return this.pending.length;
  }

  /** The events that the command appends, in order. */
  get events(): readonly DomainEvent[] {
    return this.pending.map(({ event }) => event);
  }

  /** The events, each with the state of its stream after the command. */
  get foreseen(): ForeseenEvent[] {
    return this.pending.map(({ streamId, event }) => ({
      ...event,
      state: this.streams.get(streamId)!.state,
    }));
  }

  /**
   * Types of the events, if these say all that the command changes. They do not where it records none, writes other tables,
   * or forgets a person, which changes the rows of many projections.
   */
  get changes(): string[] | undefined {
    if (this.appended === 0 || !this.isOnlyEvents) return undefined;
    return [...new Set(this.events.map(({ type }) => type))];
  }

  /** Whether its events say all that it changes: it writes no other table, and forgets nobody. */
  get isOnlyEvents(): boolean {
    return this.effects.length === 0 && this.destroyedKeys.length === 0;
  }

  /** The keys that encrypt the events to be appended. */
  async keys(): Promise<KeyReference[]> {
    const keys = await inTurns(this.pending, AT_ONCE, ({ event: { type, data } }) =>
      this.codec.keysOf(type, data as Record<string, unknown>, this.context.tenantId),
    );
    return [...new Map(keys.flat().map((key) => [key.id, key])).values()];
  }

  /** Ids of the keys to be destroyed, because an appended event forgets a person. */
  get destroyedKeys(): string[] {
    return this.pending
      .map(({ event: { type, data } }) => this.codec.forgottenBy(type, data as Record<string, unknown>)?.key)
      .filter((key) => key !== undefined);
  }

  /** Appends the events to the log at the position at which the command was decided, and stores the answer. */
  async record(log: LogHead, answer: Answer, keys: PersonKeys): Promise<Statement> {
    const { tenantId, userId, idempotency } = this.context;
    const meta: EventMeta = {
      actor: userId,
      device: this.context.device,
      request: this.context.requestId,
      command: this.name,
    };
    const rows = await inTurns(this.pending, AT_ONCE, ({ streamId, version, event }) => {
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
        this.guardSet,
      ],
    };
  }

  /** The log after it, by what `record_command` answered. */
  headAfter({ position }: LogHead, [row]: pg.QueryResultRow[]): LogHead {
    return { position: position + this.appended, hash: (row as { head: Buffer }).head };
  }

  /** Writes the guard tables, and snapshots of streams with enough events since their last one. */
  async derivedStatements(): Promise<Statement[]> {
    const guards = await inTurns(this.pending, AT_ONCE, ({ streamId, event }) => {
      const data = event.data as Record<string, unknown>;
      const seen = { tenantId: this.context.tenantId, streamId, type: event.type, data };
      return this.guards
        .filter((guard) => guard.events.includes(event.type))
        .flatMap((guard) => guard.statements(seen));
    });
    const snapshots = [...this.grown].flatMap(([key, fold]) => {
      const stream = this.streams.get(key)!;
      if (!isSnapshotDue(stream)) return [];
      this.streams.set(key, { ...stream, snapshot: stream.version });
      return [takeSnapshot(this.context.tenantId, key, fold, stream)];
    });
    return [...guards.flat(), ...snapshots];
  }
}
