import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../clock.js';
import { runBatch } from '../database/batch.js';
import { TenantQueue } from '../database/tenant-queue.js';
import { abandon, Database } from '../database/database.js';
import { Problem } from '../http/problem.js';
import { Metrics } from '../ops/metrics.js';
import { ProjectorWake } from '../projections/projector-wake.js';
import {
  type Answer,
  type CommandOccasion,
  type CommandState,
  type CommandTransaction,
  PendingCommand,
} from './command-transaction.js';
import type { CommandContext, CommandResult } from './context.js';
import { EventCodec } from './event-codec.js';
import type { Statement } from './guard.js';
import { GuardBuilds } from './guard-builds.js';
import { GuardRebuild } from './guard-rebuild.js';
import { GuardsBehind, LockedState, Replay } from './locked-state.js';
import { LogMemory } from './log-memory.js';
import { PersonalData } from './personal-data.js';
import { RememberedState } from './remembered-state.js';

/** How often the guards of a tenant are built for one command. */
const MOST_BUILDS = 3;

/** Base of all command classes. The class name is stored in the events' meta. */
export interface Command {
  readonly context: CommandContext;
}

export interface TransactOptions {
  /** The command begins a tenant: its log and checkpoint are made first. */
  opensTenant?: boolean;
  /** The command may record in a closed tenant too, such as the end of a retention. */
  evenClosed?: boolean;
}

/** Decides a command: reads and collects through `tx` only, and returns the answer. It may run twice. */
export type Work<A extends Answer> = (tx: CommandTransaction) => Promise<A> | A;

interface Done<A> extends CommandResult<A> {
  readonly command?: PendingCommand;
}

/** Records commands as events: one transaction each, the commands of one tenant one after another. */
@Injectable()
export class EventStore implements OnApplicationShutdown {
  private readonly queue = new TenantQueue({ atOnce: 1, maxWaiting: 20_000, maxWaitMs: 30_000 });
  private readonly memory = new LogMemory();

  constructor(
    private readonly database: Database,
    private readonly codec: EventCodec,
    private readonly personalData: PersonalData,
    private readonly guards: GuardRebuild,
    private readonly guardBuilds: GuardBuilds,
    private readonly clock: Clock,
    private readonly wake: ProjectorWake,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Runs one command. What `work` appended is committed together with the answer under the command's Idempotency-Key.
   * A key that was answered before gets the same answer, and nothing is recorded; with another body it is refused (422
   * idempotency.key_reused).
   */
  async transact<A extends Answer>(
    { context, constructor: { name } }: Command,
    work: Work<A>,
    options: TransactOptions = {},
  ): Promise<CommandResult<A>> {
    const { tenantId } = context;
    const done = this.metrics.startCommand(name);
    try {
      const { answer, position, command } = await this.queue.run(tenantId, async () => {
        const occasion = { context, name, now: this.clock.now() };
        return (await this.decideOnMemory(occasion, work)) ?? this.decideOnGuards(occasion, work, options);
      });
      if (command && command.appended > 0) this.wake.committed(tenantId);
      for (const followUp of command?.followUps ?? []) followUp();
      done('done');
      return { answer, position };
    } catch (error) {
      done(error instanceof Problem ? 'refused' : 'failed', error);
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.memory.close();
  }

  /**
   * Decides on remembered state, in one round trip. Undefined where streams are missing in it, where it is out of date, or where
   * the command would be refused: a command is refused only on state that was read under the lock.
   */
  private async decideOnMemory<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
  ): Promise<Done<A> | undefined> {
    const { tenantId } = occasion.context;
    const log = this.memory.recall(tenantId);
    if (!log) return undefined;
    const state = new RememberedState(log, tenantId, this.personalData);
    const command = this.begin(occasion, state);
    let answer: A;
    let statements: Statement[];
    try {
      answer = await work(command);
      statements = state.statements(command, answer);
    } catch {
      return undefined;
    }
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(occasion.name);
    try {
      const [recorded] = await runBatch(client, statements);
      client.release();
      const head = {
        position: log.head.position + command.appended,
        hash: (recorded![0] as { head: Buffer }).head,
      };
      this.memory.remember(tenantId, log.head, { head, streams: command.streams, keys: log.keys });
      return { answer, position: head.position, command };
    } catch (error) {
      // Of many commands that want the same slot, all but one are refused under the lock; they skip the attempt on memory.
      this.memory.forget(tenantId);
      await abandon(client);
      if (isDecidedAgain(error)) return undefined;
      throw error;
    } finally {
      worked();
    }
  }

  /**
   * Decides under the lock. Guards that are not built for the tenant are built before; while an older release is being
   * replaced, its commands may undo that more than once.
   */
  private async decideOnGuards<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
    options: TransactOptions,
  ): Promise<Done<A>> {
    for (let tries = 0; tries < MOST_BUILDS; tries += 1) {
      try {
        return await this.decideUnderLock(occasion, work, options);
      } catch (error) {
        if (!(error instanceof GuardsBehind)) throw error;
        await this.guardBuilds.build(occasion.context.tenantId);
      }
    }
    throw new Problem('busy');
  }

  private async decideUnderLock<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
    options: TransactOptions,
  ): Promise<Done<A>> {
    const { context } = occasion;
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(occasion.name);
    const state = new LockedState(
      client,
      context,
      this.codec,
      this.personalData,
      this.guards.current,
      options,
    );
    const command = this.begin(occasion, state);
    try {
      const answer = await work(command);
      const head = await state.commit(command, answer);
      client.release();
      const { destroyedKeys, keys, streams } = command;
      // The folded state may hold texts of the forgotten person, which the log no longer reveals.
      if (destroyedKeys.length > 0 || keys.some(({ id }) => !state.keys.get(id)))
        this.memory.forget(context.tenantId);
      else this.memory.remember(context.tenantId, await state.before, { head, streams, keys: state.keys });
      return { answer, position: head.position, command };
    } catch (error) {
      await abandon(client);
      if (error instanceof Replay) return { answer: error.answer as A, position: error.position };
      throw this.refusal(error) ?? error;
    } finally {
      worked();
    }
  }

  private begin(occasion: CommandOccasion, state: CommandState): PendingCommand {
    return new PendingCommand(occasion, state, this.codec, this.guards.guards, this.guards.current);
  }

  /** The problem that the guard defines for the violated constraint; undefined for any other error. */
  private refusal(error: unknown): Problem | undefined {
    const constraint = (error as { constraint?: string }).constraint;
    if (constraint === undefined) return undefined;
    for (const guard of this.guards.guards) {
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
