import type pg from 'pg';
import { BEGIN, COMMIT, type Statement } from '../database/batch.js';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import type { Answer, CommandState, FoldedStream, LookUp, PendingCommand } from './command-transaction.js';
import type { KnownLog } from './log-memory.js';

/** The state of a tenant as this process remembers it. */
export class RememberedState implements CommandState {
  private miss!: () => void;
  /** Resolves when the command asks for what is not remembered; that is never answered, so that no `catch` in its work sees it. */
  readonly missed = new Promise<undefined>((resolve) => {
    this.miss = () => resolve(undefined);
  });

  constructor(private readonly log: KnownLog) {}

  read(aggregate: Aggregate<unknown, DomainEvent>, id: string): Promise<FoldedStream> {
    const stream = this.log.streams.get(streamId(aggregate, id));
    return stream ? Promise.resolve(stream) : this.never();
  }

  lookUp({ isGuarded }: LookUp<pg.QueryResultRow, readonly unknown[]>): Promise<pg.QueryResultRow[]> {
    return isGuarded ? Promise.resolve([]) : this.never();
  }

  expect(): void {
    // Keys are remembered, or the command is decided under the lock.
  }

  /** What records the command, if the log still has this head; undefined where that takes more than is remembered. */
  async recording(command: PendingCommand, answer: Answer): Promise<Statement[] | undefined> {
    const keys = await command.keys();
    if (!command.isOnlyEvents || !keys.every(({ id }) => this.log.keys.has(id))) return undefined;
    return [
      BEGIN,
      await command.record(this.log.head, answer, this.log.keys),
      ...(await command.derivedStatements()),
      COMMIT,
    ];
  }

  private never(): Promise<never> {
    this.miss();
    return new Promise(() => undefined);
  }
}
