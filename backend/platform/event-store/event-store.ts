import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { abandon, Database } from '../database/database.js';
import { FeatureRegistry } from '../features.js';
import { Problem } from '../http/problem.js';
import { Metrics } from '../ops/metrics.js';
import { ProjectorWake } from '../projections/projector-wake.js';
import { type Answer, CommandTransaction, Replay } from './command-transaction.js';
import type { CommandContext, CommandResult } from './context.js';
import { EventCodec } from './event-codec.js';
import { PersonalData } from './personal-data.js';
import { TenantQueue } from './tenant-queue.js';

/** What every command class has: who asks. Its class name is kept in the events' meta. */
export interface Command {
  readonly context: CommandContext;
}

export interface TransactOptions {
  /** The command begins a tenant: its log and checkpoint are made first. */
  opensTenant?: boolean;
}

/** Records commands as events: one transaction each, the commands of one tenant one after another. */
@Injectable()
export class EventStore {
  private readonly queue = new TenantQueue();

  constructor(
    private readonly database: Database,
    private readonly features: FeatureRegistry,
    private readonly codec: EventCodec,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
    private readonly wake: ProjectorWake,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Runs one command. `work` loads, decides, appends and returns the answer; everything is committed together with
   * the answer under the command's Idempotency-Key. A key that was answered before gets the same answer and `work`
   * has no effect; with another body it is refused (422 idempotency.key_reused).
   */
  async transact<A extends Answer>(
    command: Command,
    work: (tx: CommandTransaction) => Promise<A> | A,
    options: TransactOptions = {},
  ): Promise<CommandResult<A>> {
    const name = command.constructor.name;
    const done = this.metrics.startCommand(name);
    try {
      const result = await this.queue.run(command.context.tenantId, () =>
        this.run(command, name, work, options),
      );
      done('done');
      return result;
    } catch (error) {
      done(error instanceof Problem ? 'refused' : 'failed');
      throw error;
    }
  }

  private async run<A extends Answer>(
    { context }: Command,
    name: string,
    work: (tx: CommandTransaction) => Promise<A> | A,
    { opensTenant = false }: TransactOptions,
  ): Promise<CommandResult<A>> {
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(name);
    const { codec, personalData, clock, features } = this;
    const tx = new CommandTransaction(
      client,
      context,
      name,
      clock.now(),
      codec,
      personalData,
      features.all.guards,
      opensTenant,
    );
    try {
      const answer = await work(tx);
      const position = await tx.commit(answer);
      client.release();
      if (tx.appended > 0) this.wake.committed(context.tenantId);
      return { answer, position };
    } catch (error) {
      await abandon(client);
      if (error instanceof Replay) return { answer: error.answer as A, position: error.position };
      throw this.refusal(error) ?? error;
    } finally {
      worked();
    }
  }

  /** A violated guard is a refusal in the domain's words, not a database error. */
  private refusal(error: unknown): Problem | undefined {
    const constraint = (error as { constraint?: string }).constraint;
    if (constraint === undefined) return undefined;
    for (const guard of this.features.all.guards) {
      const violation = guard.violations[constraint];
      if (violation) return violation();
    }
    return undefined;
  }
}
