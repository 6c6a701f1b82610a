import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../clock.js';
import { abandon, Database } from '../database/database.js';
import { FeatureRegistry } from '../features.js';
import { Problem } from '../http/problem.js';
import { Metrics } from '../ops/metrics.js';
import { ProjectorWake } from '../projections/projector-wake.js';
import type { Answer, CommandOccasion, CommandTransaction } from './command-transaction.js';
import type { CommandContext, CommandResult } from './context.js';
import { EventCodec } from './event-codec.js';
import type { Statement } from './guard.js';
import { LockedCommand, Replay } from './locked-command.js';
import { LogMemory } from './log-memory.js';
import { PersonalData } from './personal-data.js';
import { RememberedCommand } from './remembered-command.js';
import { TenantQueue } from './tenant-queue.js';

/** What every command class has: who asks. Its class name is kept in the events' meta. */
export interface Command {
  readonly context: CommandContext;
}

export interface TransactOptions {
  /** The command begins a tenant: its log and checkpoint are made first. */
  opensTenant?: boolean;
}

type Work<A> = (tx: CommandTransaction) => Promise<A> | A;

interface Done<A> extends CommandResult<A> {
  readonly appended: number;
}

/** Records commands as events: one transaction each, the commands of one tenant one after another. */
@Injectable()
export class EventStore implements OnApplicationShutdown {
  private readonly queue = new TenantQueue();
  private readonly memory = new LogMemory();

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
   * has no effect; with another body it is refused (422 idempotency.key_reused). `work` may run twice: it changes
   * nothing but `tx`.
   */
  async transact<A extends Answer>(
    command: Command,
    work: Work<A>,
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

  onApplicationShutdown(): void {
    this.memory.close();
  }

  private async run<A extends Answer>(
    { context }: Command,
    name: string,
    work: Work<A>,
    { opensTenant = false }: TransactOptions,
  ): Promise<CommandResult<A>> {
    const occasion = { context, name, now: this.clock.now() };
    const { answer, position, appended } =
      (await this.runRemembered(occasion, work)) ?? (await this.runLocked(occasion, work, opensTenant));
    if (appended > 0) this.wake.committed(context.tenantId);
    return { answer, position };
  }

  /**
   * Decides on what this process remembers. Undefined where that is not enough, not true any more or leads to a
   * refusal: no command is refused but on what is read under the lock.
   */
  private async runRemembered<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
  ): Promise<Done<A> | undefined> {
    const { tenantId } = occasion.context;
    const log = this.memory.recall(tenantId);
    if (!log) return undefined;
    const tx = new RememberedCommand(log, occasion, this.codec, this.features.all.guards, this.personalData);
    let answer: A;
    let statements: Statement[];
    try {
      answer = await work(tx);
      statements = tx.statements(answer);
    } catch {
      return undefined;
    }
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(occasion.name);
    try {
      const head = await tx.commit(client, statements);
      client.release();
      this.memory.remember(tenantId, log.head, { head, streams: tx.streams, keys: log.keys });
      return { answer, position: head.position, appended: tx.appended };
    } catch (error) {
      // In a rush for what only one can have, the others are refused under the lock, without a try before it.
      this.memory.forget(tenantId);
      await abandon(client);
      if (isDecidedAgain(error)) return undefined;
      throw error;
    } finally {
      worked();
    }
  }

  private async runLocked<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
    opensTenant: boolean,
  ): Promise<Done<A>> {
    const { tenantId } = occasion.context;
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(occasion.name);
    const { codec, personalData, features } = this;
    const tx = new LockedCommand(client, occasion, codec, features.all.guards, personalData, opensTenant);
    try {
      const answer = await work(tx);
      const head = await tx.commit(answer);
      client.release();
      if (tx.isAboutForgotten) this.memory.forget(tenantId);
      else this.memory.remember(tenantId, await tx.before, { head, streams: tx.streams, keys: tx.keys });
      return { answer, position: head.position, appended: tx.appended };
    } catch (error) {
      await abandon(client);
      if (error instanceof Replay) {
        return { answer: error.answer as A, position: error.position, appended: 0 };
      }
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

/** The log has moved or has the key's answer (RD001), or a guard refused. */
function isDecidedAgain(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === 'RD001' || constraint !== undefined;
}
