import type { Type } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Services, using, type WorkWith } from '../services.js';
import type { Answer, CommandTransaction, ForeseenEvent } from './command-transaction.js';
import type { CommandContext, CommandResult, RequestContext } from './context.js';
import { EventStore } from './event-store.js';

interface CommandClass<Args extends unknown[], A extends Answer> {
  new (context: CommandContext, ...args: Args): Command<CommandResult<A>> & { context: CommandContext };
  /** Provider for the module that owns the command. */
  readonly Handler: Type<ForeseesWork>;
  readonly bus: 'commands';
  /** Never set: a call has to hand over as many arguments as the work takes (`serve`). */
  readonly takes?: (count: Args['length']) => void;
}

/** Says what its command would record now, with the same arguments. */
export interface ForeseesWork {
  foresee: (context: RequestContext, args: readonly unknown[]) => Promise<readonly ForeseenEvent[]>;
}

type Work<Args extends unknown[], A extends Answer> = (
  tx: CommandTransaction,
  ...args: Args
) => Promise<A> | A;
/**
 * A command for the CommandBus, and its handler, which runs `work` in one transaction of the EventStore. `name` is
 * stored in the meta of its events. `services`: those of Nest that it uses besides the log. A command that does something
 * before its transaction is written as a class with a handler of its own.
 */
export function defineCommand<Args extends unknown[], A extends Answer>(
  name: string,
  work: Work<Args, A>,
): CommandClass<Args, A>;
export function defineCommand<Named extends Services, Args extends unknown[], A extends Answer>(
  name: string,
  services: Named,
  work: WorkWith<Named, CommandTransaction, Args, Promise<A> | A>,
): CommandClass<Args, A>;
export function defineCommand<Named extends Services, Args extends unknown[], A extends Answer>(
  name: string,
  ...given: [Work<Args, A>] | [Named, WorkWith<Named, CommandTransaction, Args, Promise<A> | A>]
): CommandClass<Args, A> {
  const { services, workWith } = using(given);

  class Defined extends Command<CommandResult<A>> {
    readonly args: Args;

    constructor(
      readonly context: CommandContext,
      ...args: Args
    ) {
      super();
      this.args = args;
    }
  }
  Object.defineProperty(Defined, 'name', { value: name });

  @CommandHandler(Defined)
  class Handler implements ICommandHandler<Defined>, ForeseesWork {
    private readonly work: Work<Args, A>;

    constructor(
      private readonly store: EventStore,
      ...instances: unknown[]
    ) {
      this.work = workWith(instances);
    }

    execute(command: Defined): Promise<CommandResult<A>> {
      return this.store.transact(command, (tx) => this.work(tx, ...command.args));
    }

    foresee(context: RequestContext, args: readonly unknown[]): Promise<readonly ForeseenEvent[]> {
      return this.store.foresee(context, (tx) => this.work(tx, ...(args as Args)));
    }
  }
  Reflect.defineMetadata('design:paramtypes', [EventStore, ...services], Handler);
  return Object.assign(Defined, { Handler, bus: 'commands' as const });
}
