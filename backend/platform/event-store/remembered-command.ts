import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import {
  type Answer,
  type CommandOccasion,
  CommandTransaction,
  type FoldedStream,
  type LogHead,
} from './command-transaction.js';
import type { EventCodec, PersonKeys } from './event-codec.js';
import type { Guard, Statement } from './guard.js';
import type { RememberedLog } from './log-memory.js';
import type { PersonalData } from './personal-data.js';

/** The command needs what this process does not remember. */
class NotRemembered extends Error {}

/**
 * A command that reads nothing: it is decided on what the process remembers of the log, and written in one round trip,
 * which the database refuses where the log is another one by now.
 */
export class RememberedCommand extends CommandTransaction {
  private readonly personKeys: PersonKeys = { get: (person) => this.keyOf(person) };

  constructor(
    private readonly log: RememberedLog,
    occasion: CommandOccasion,
    codec: EventCodec,
    guards: readonly Guard[],
    private readonly personalData: PersonalData,
  ) {
    super(occasion, codec, guards);
  }

  query(): never {
    throw new NotRemembered();
  }

  /** The guard refuses by itself; the command is decided again then, and looks. */
  foresee(): Promise<void> {
    return Promise.resolve();
  }

  /** All that the command writes: events, answer, guards and snapshots. */
  statements(answer: Answer): Statement[] {
    const hasKey = (person: string) => Boolean(this.log.keys.get(person));
    if (this.forgotten().length > 0 || !this.persons().every(hasKey)) throw new NotRemembered();
    return [
      this.record(this.log.head, answer, this.personKeys),
      ...this.guardStatements(),
      ...this.snapshotStatements(),
    ];
  }

  /** Writes the statements as one transaction. Answers the log after it. */
  async commit(client: pg.PoolClient, statements: readonly Statement[]): Promise<LogHead> {
    const [recorded] = await runBatch(client, statements);
    return {
      position: this.log.head.position + this.appended,
      hash: (recorded![0] as { head: Buffer }).head,
    };
  }

  protected read(aggregate: Aggregate<unknown, DomainEvent>, id: string): FoldedStream {
    const stream = this.log.streams.get(streamId(aggregate, id));
    if (!stream) throw new NotRemembered();
    return stream;
  }

  private keyOf(person: string): Buffer | undefined {
    const wrapped = this.log.keys.get(person);
    return wrapped ? this.personalData.unwrap(wrapped, this.context.tenantId, person) : undefined;
  }
}
