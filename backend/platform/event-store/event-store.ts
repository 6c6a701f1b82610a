import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { runBatch } from '../database/batch.js';
import { TenantQueue } from '../database/tenant-queue.js';
import { abandon, Database } from '../database/database.js';
import { Problem } from '../http/problem.js';
import { Metrics } from '../ops/metrics.js';
import { traced } from '../ops/tracing.js';
import { projectTenants } from '../jobs/platform-jobs.js';
import { Queues } from '../jobs/queues.js';
import { TenantJobs } from '../jobs/tenant-jobs.js';
import {
  type Answer,
  type CommandOccasion,
  type CommandState,
  type CommandTransaction,
  type ForeseenEvent,
  PendingCommand,
} from './command-transaction.js';
import type { CommandContext, CommandResult, RequestContext } from './context.js';
import { EventCodec } from './event-codec.js';
import { GuardBuilds } from './guard-builds.js';
import { GuardRebuild } from './guard-rebuild.js';
import { GuardsBehind, LockedState, Replay } from './locked-state.js';
import { LogMemory } from './log-memory.js';
import { PersonalData } from './personal-data.js';
import { RememberedState } from './remembered-state.js';

/** `record_command` found another log, or the answer of an earlier attempt. */
const LOG_MOVED = 'RD001';

/** How often the guards of a tenant are built for one command. */
const MOST_BUILDS = 3;

/** Base of all command classes. The class name is stored in the events' meta. */
export interface Command {
  readonly context: CommandContext;
}

export interface TransactOptions {
  /** The command creates a tenant: its log and checkpoint are inserted first. */
  opensTenant?: boolean;
  /** The command may also run in a closed tenant, such as at the end of a retention. */
  evenClosed?: boolean;
  /** Nothing is recorded. */
  rehearses?: boolean;
}

/**
 * Decides a command: only reads and collects through `tx`, and returns the answer. It runs again after missing guards
 * were built.
 */
export type Work<A extends Answer> = (tx: CommandTransaction) => Promise<A> | A;

interface Done<A> extends CommandResult<A> {
  readonly command?: PendingCommand;
}

/** Records commands as events: one transaction each, the commands of one tenant one after another. */
@Injectable()
export class EventStore {
  private readonly queue = new TenantQueue({ atOnce: 1, maxWaiting: 20_000, maxWaitMs: 30_000 });
  /** A test empties it, so that a command reads. */
  readonly memory = new LogMemory();
  /** What projects the events of commands; a measurement of commands alone replaces it. */
  readonly projections: TenantJobs;

  constructor(
    private readonly database: Database,
    private readonly codec: EventCodec,
    private readonly personalData: PersonalData,
    private readonly guards: GuardRebuild,
    private readonly guardBuilds: GuardBuilds,
    private readonly clock: Clock,
    queues: Queues,
    private readonly metrics: Metrics,
  ) {
    this.projections = new TenantJobs(queues, projectTenants);
  }

  /**
   * Runs one command. The events that `work` appended are committed together with the answer under the command's
   * Idempotency-Key. A repeated key gets the stored answer and records nothing; with another body it is refused (422
   * idempotency.key_reused).
   */
  transact<A extends Answer>(
    { context, constructor: { name } }: Command,
    work: Work<A>,
    options: TransactOptions = {},
  ): Promise<CommandResult<A>> {
    return traced(`command ${name}`, { 'rende.tenant_id': context.tenantId }, () =>
      this.perform(context, name, work, options),
    );
  }

  private async perform<A extends Answer>(
    context: CommandContext,
    name: string,
    work: Work<A>,
    options: TransactOptions,
  ): Promise<CommandResult<A>> {
    const { tenantId } = context;
    const done = this.metrics.startCommand(name);
    try {
      const { answer, position, command } = await this.queue.run(tenantId, () =>
        traced('transaction', {}, async () => {
          const occasion = { context, name, now: this.clock.now() };
          return (await this.decideOnMemory(occasion, work)) ?? this.decideUnderLock(occasion, work, options);
        }),
      );
      if (command && command.appended > 0) this.projections.add([tenantId]);
      for (const followUp of command?.followUps ?? []) followUp();
      done('done');
      return { answer, position, events: command?.changes };
    } catch (error) {
      done(error instanceof Problem ? 'refused' : 'failed', error);
      throw error;
    }
  }

  /** The answer that the command would give now, by the same decision; nothing is recorded. For what a page announces. */
  async rehearse<A extends Answer>(context: RequestContext, work: Work<A>): Promise<A> {
    const occasion = { context: { ...context, idempotency: null }, name: 'rehearsal', now: this.clock.now() };
    const { answer } = await this.queue.run(context.tenantId, () =>
      this.decideUnderLock(occasion, work, { rehearses: true }),
    );
    return answer;
  }

  /** What the command would record now, by the same decision; nothing is recorded. */
  async foresee(context: RequestContext, work: Work<Answer>): Promise<readonly ForeseenEvent[]> {
    let foreseen: readonly ForeseenEvent[] = [];
    await this.rehearse(context, async (tx) => {
      const answer = await work(tx);
      foreseen = (tx as PendingCommand).foreseen;
      return answer;
    });
    return foreseen;
  }

  /**
   * Decides on what this process remembers of the log, and records in one round trip. Undefined where it does not remember
   * enough, another process has written, or the command is refused: it is refused only by what was read under the lock.
   */
  private async decideOnMemory<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
  ): Promise<Done<A> | undefined> {
    const { tenantId } = occasion.context;
    const log = this.memory.recall(tenantId);
    if (!log) return undefined;
    const state = new RememberedState(log);
    const command = this.pending(occasion, state);
    const decided = (async () => work(command))().catch(() => undefined);
    const answer = await Promise.race([decided, state.missed]);
    const recording = answer && (await state.recording(command, answer));
    if (!recording) return undefined;
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(occasion.name);
    try {
      const [, recorded] = await runBatch(client, recording);
      client.release();
      const head = command.headAfter(log.head, recorded!);
      this.memory.remember(tenantId, log.head, { ...log, head, streams: command.streams });
      return { answer, position: head.position, command };
    } catch (error) {
      this.memory.forget(tenantId);
      const { code, constraint } = error as { code?: string; constraint?: string };
      await abandon(client);
      if (code !== LOG_MOVED && constraint === undefined) throw error;
      return undefined;
    } finally {
      worked();
    }
  }

  /**
   * Decides under the tenant's lock, after building guards that are missing for the tenant. During a deploy, commands
   * of the older release may make them outdated again, so this may take several tries.
   */
  private async decideUnderLock<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
    options: TransactOptions,
    builds = 0,
  ): Promise<Done<A>> {
    const { context } = occasion;
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(occasion.name);
    const { current } = this.guards;
    const state = new LockedState(client, context, this.codec, this.personalData, current, options);
    const command = this.pending(occasion, state);
    try {
      const answer = await work(command);
      if (options.rehearses) {
        await state.abandon();
        return { answer, position: 0 };
      }
      const { before, after } = await state.commit(command, answer);
      client.release();
      const { streams, isOnlyEvents } = command;
      const { keys } = state;
      // Folded streams may hold texts of a person who is forgotten, and a closed log is never written on memory.
      if (isOnlyEvents && !options.evenClosed && (await command.keys()).every(({ id }) => keys.has(id)))
        this.memory.remember(context.tenantId, before, { head: after, streams, keys });
      else this.memory.forget(context.tenantId);
      return { answer, position: after.position, command };
    } catch (error) {
      await state.abandon();
      if (error instanceof Replay) return { answer: error.answer as A, position: error.position };
      if (!(error instanceof GuardsBehind)) throw this.refusal(error) ?? error;
    } finally {
      worked();
    }
    if (builds === MOST_BUILDS) throw new Problem('busy');
    await this.guardBuilds.build(context.tenantId);
    return this.decideUnderLock(occasion, work, options, builds + 1);
  }

  private pending(occasion: CommandOccasion, state: CommandState): PendingCommand {
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
