import type pg from 'pg';
import { type Aggregate, type DomainEvent, streamId } from './aggregate.js';
import type { Answer, CommandState, FoldedStream, LookUp, PendingCommand } from './command-transaction.js';
import type { PersonKeys } from './event-codec.js';
import type { Statement } from './guard.js';
import type { RememberedLog } from './log-memory.js';
import type { PersonalData } from './personal-data.js';

/** Thrown where the command needs state that is not in memory; it is then decided under the lock. */
class NotRemembered extends Error {}

/** The state that this process remembers of a tenant's log. Reading it costs no round trip. */
export class RememberedState implements CommandState {
  constructor(
    private readonly log: RememberedLog,
    private readonly tenantId: string,
    private readonly personalData: PersonalData,
  ) {}

  read(aggregate: Aggregate<unknown, DomainEvent>, id: string): FoldedStream {
    const stream = this.log.streams.get(streamId(aggregate, id));
    if (!stream) throw new NotRemembered();
    return stream;
  }

  lookUp(query: LookUp<pg.QueryResultRow, readonly unknown[]>): Promise<pg.QueryResultRow[]> {
    // Thrown, it would leave what the command loads at the same time without anybody who waits for its failure.
    return query.isPrecheck ? Promise.resolve([]) : Promise.reject(new NotRemembered());
  }

  expect(keys: readonly string[]): void {
    if (!this.remembers(keys)) throw new NotRemembered();
  }

  /** All that the command writes, as one transaction, which the database refuses where the log has moved. */
  statements(command: PendingCommand, answer: Answer): Statement[] {
    const hasKeys = this.remembers(command.keys.map(({ id }) => id));
    if (!hasKeys || command.destroyedKeys.length > 0 || command.effects.length > 0) throw new NotRemembered();
    const keys: PersonKeys = { get: (person) => this.keyOf(person) };
    return [command.record(this.log.head, answer, keys), ...command.derivedStatements()];
  }

  private remembers(keys: readonly string[]): boolean {
    return keys.every((id) => this.log.keys.get(id));
  }

  private keyOf(person: string): Buffer | undefined {
    const wrapped = this.log.keys.get(person);
    return wrapped ? this.personalData.unwrap(wrapped, this.tenantId, person) : undefined;
  }
}
