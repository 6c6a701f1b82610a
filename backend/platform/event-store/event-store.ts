import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { TenantQueue } from '../database/tenant-queue.js';
import { abandon, Database } from '../database/database.js';
import { Problem } from '../http/problem.js';
import { Metrics } from '../ops/metrics.js';
import { ProjectorWake } from '../projections/projector-wake.js';
import {
  type Answer,
  type CommandOccasion,
  type CommandTransaction,
  PendingCommand,
} from './command-transaction.js';
import type { CommandContext, CommandResult } from './context.js';
import { EventCodec } from './event-codec.js';
import { GuardBuilds } from './guard-builds.js';
import { GuardRebuild } from './guard-rebuild.js';
import { GuardsBehind, LockedState, Replay } from './locked-state.js';
import { PersonalData } from './personal-data.js';

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

/** Decides a command: reads and collects through `tx` only, and returns the answer. It runs again once missing guards are built. */
export type Work<A extends Answer> = (tx: CommandTransaction) => Promise<A> | A;

interface Done<A> extends CommandResult<A> {
  readonly command?: PendingCommand;
}

/** Records commands as events: one transaction each, the commands of one tenant one after another. */
@Injectable()
export class EventStore {
  private readonly queue = new TenantQueue({ atOnce: 1, maxWaiting: 20_000, maxWaitMs: 30_000 });

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
      const { answer, position, command } = await this.queue.run(tenantId, () =>
        this.decide({ context, name, now: this.clock.now() }, work, options),
      );
      if (command && command.appended > 0) this.wake.committed(tenantId);
      for (const followUp of command?.followUps ?? []) followUp();
      done('done');
      return { answer, position };
    } catch (error) {
      done(error instanceof Problem ? 'refused' : 'failed', error);
      throw error;
    }
  }

  /**
   * Decides under the tenant's lock. Guards that are not built for the tenant are built before; while an older release is being
   * replaced, its commands may undo that more than once.
   */
  private async decide<A extends Answer>(
    occasion: CommandOccasion,
    work: Work<A>,
    options: TransactOptions,
    builds = 0,
  ): Promise<Done<A>> {
    const { context } = occasion;
    const client = await this.database.pool.connect();
    const worked = this.metrics.startDatabaseWork(occasion.name);
    const { guards, current } = this.guards;
    const state = new LockedState(client, context, this.codec, this.personalData, current, options);
    const command = new PendingCommand(occasion, state, this.codec, guards, current);
    try {
      const answer = await work(command);
      const position = await state.commit(command, answer);
      client.release();
      return { answer, position, command };
    } catch (error) {
      await abandon(client);
      if (error instanceof Replay) return { answer: error.answer as A, position: error.position };
      if (!(error instanceof GuardsBehind)) throw this.refusal(error) ?? error;
    } finally {
      worked();
    }
    if (builds === MOST_BUILDS) throw new Problem('busy');
    await this.guardBuilds.build(context.tenantId);
    return this.decide(occasion, work, options, builds + 1);
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
