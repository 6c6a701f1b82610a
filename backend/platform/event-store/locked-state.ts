import type pg from 'pg';
import { BatchPerTurn, COMMIT, runBatch } from '../database/batch.js';
import { abandon, settleAll } from '../database/database.js';
import { Problem } from '../http/problem.js';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import type {
  Answer,
  CommandState,
  FoldedStream,
  LogHead,
  LookUp,
  PendingCommand,
} from './command-transaction.js';
import type { CommandContext } from './context.js';
import type { TransactOptions } from './event-store.js';
import type { EventCodec } from './event-codec.js';
import type { PersonalData } from './personal-data.js';
import { StreamReader } from './stream-reader.js';

const OPEN = 'select open_tenant($1, $2)';
const SEE = `select set_config('app.tenant', $1, true)`;
/** For commands without an Idempotency-Key. */
const LOCK_EVEN_CLOSED = `select position as log_position, head_hash as log_head, guards = $2 as guards_built,
  null as stored_body_hash, null::json as stored_answer, null::bigint as stored_position
  from tenant_log where tenant_id = $1 for no key update`;
const LOCK = 'select * from lock_log($1, $2, $3, $4, $5)';

/** Ends a command whose Idempotency-Key was answered before. */
export class Replay extends Error {
  constructor(
    readonly answer: Answer,
    readonly position: number,
  ) {
    super('answered before under the same Idempotency-Key');
  }
}

/** Ends a command that found the tenant's guards not built yet. */
export class GuardsBehind extends Error {}

interface LockRow {
  log_position: number | null;
  log_head: Buffer;
  guards_built: boolean;
  stored_body_hash: string | null;
  stored_answer: Answer | null;
  stored_position: number | null;
}

/**
 * The state of a tenant, read under the tenant's lock. Everything that is sent before the first `await` shares one
 * round trip with `begin`.
 */
export class LockedState implements CommandState {
  /** The log on which the command is decided. */
  private readonly before: Promise<LogHead>;
  private readonly reader: StreamReader;
  private readonly statements: BatchPerTurn;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly context: CommandContext,
    codec: EventCodec,
    personalData: PersonalData,
    private readonly guardSet: string,
    options: TransactOptions,
  ) {
    this.statements = new BatchPerTurn(client);
    this.reader = new StreamReader(this.statements, context.tenantId, codec, personalData);
    this.before = this.begin(options);
    // Awaited later; until then a failure must not count as an unhandled rejection.
    this.before.catch(() => undefined);
  }

  async read(aggregate: Aggregate<unknown, DomainEvent>, id: string): Promise<FoldedStream> {
    const { tenantId, studentId } = this.context;
    const persons = [id, tenantId, ...(studentId === null ? [] : [studentId])];
    const [, { version, snapshot, events }] = (await settleAll([
      this.before,
      this.reader.read(streamId(aggregate, id), persons, aggregate.fold),
    ])) as [unknown, Awaited<ReturnType<StreamReader['read']>>];
    const state = events.reduce<unknown>(
      (folded, event) => aggregate.evolve(folded, event),
      snapshot ? snapshot.state : aggregate.initialState,
    );
    return { version, state, snapshot: snapshot?.version ?? 0 };
  }

  lookUp(
    { text }: LookUp<pg.QueryResultRow, readonly unknown[]>,
    args: readonly unknown[],
  ): Promise<pg.QueryResultRow[]> {
    return this.query(text, [this.context.tenantId, ...args]);
  }

  /** Announces keys that will be needed. */
  expect(keys: readonly string[]): void {
    this.reader.expect(keys);
  }

  /**
   * Runs the effects; writes events, keys of persons, guards, snapshots and the answer; commits. Returns the log
   * before and after it.
   */
  async commit(command: PendingCommand, answer: Answer): Promise<{ before: LogHead; after: LogHead }> {
    const before = await this.before;
    for (const effect of command.effects)
      await effect(<Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
        this.query<Row>(text, values),
      );
    const newKeys = await this.reader.provideKeys(await command.keys());
    const [recorded] = await runBatch(this.client, [
      await command.record(before, answer, this.reader.keys),
      ...newKeys,
      ...this.reader.destroyKeys(command.destroyedKeys),
      ...(await command.derivedStatements()),
      COMMIT,
    ]);
    return { before, after: command.headAfter(before, recorded!) };
  }

  /** The keys of persons that the command has used, by id. */
  get keys(): ReadonlyMap<string, Buffer> {
    return this.reader.opened;
  }

  /** Ends the transaction without a trace, and returns the connection. A refusal may come before `begin` has been sent. */
  async abandon(): Promise<void> {
    this.statements.send();
    await abandon(this.client);
  }

  private async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const [, rows] = await settleAll([this.before, this.statements.query(text, values)]);
    return rows as Row[];
  }

  private async begin({ opensTenant, evenClosed }: TransactOptions): Promise<LogHead> {
    const { tenantId, userId, idempotency } = this.context;
    const { scope = null, key = null } = idempotency ?? {};
    const [, , , rows] = await settleAll([
      this.statements.query('begin', []),
      opensTenant ? this.statements.query(OPEN, [tenantId, this.guardSet]) : Promise.resolve(),
      evenClosed ? this.statements.query(SEE, [tenantId]) : Promise.resolve(),
      evenClosed
        ? this.statements.query(LOCK_EVEN_CLOSED, [tenantId, this.guardSet])
        : this.statements.query(LOCK, [tenantId, userId, scope, key, this.guardSet]),
    ]);
    const [row] = rows as LockRow[];
    if (row?.log_position == null) throw new Problem('not_found');
    if (row.stored_answer === null || !idempotency) {
      if (!row.guards_built) throw new GuardsBehind();
      return { position: row.log_position, hash: row.log_head };
    }
    if (row.stored_body_hash !== idempotency.bodyHash) throw new Problem('idempotency.key_reused');
    throw new Replay(row.stored_answer, row.stored_position!);
  }
}
