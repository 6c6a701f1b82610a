import { Inject, type Type } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, CommandTransaction } from './command-transaction.js';
import type { CommandContext, CommandResult } from './context.js';
import { EventStore } from './event-store.js';

interface CommandClass<Args extends unknown[], A extends Answer> {
  new (context: CommandContext, ...args: Args): Command<CommandResult<A>>;
  /** Provider for the module that owns the command. */
  readonly Handler: Type;
  readonly bus: 'commands';
}

/**
 * A command for the CommandBus, and its handler, which runs `work` in one transaction of the EventStore. `name` is
 * stored in the meta of its events. A command that needs more than the log is written as a class with a handler of its
 * own.
 */
export function defineCommand<Args extends unknown[], A extends Answer>(
  name: string,
  work: (tx: CommandTransaction, ...args: Args) => Promise<A> | A,
): CommandClass<Args, A> {
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
  class Handler implements ICommandHandler<Defined> {
    constructor(@Inject(EventStore) private readonly store: EventStore) {}

    execute(command: Defined): Promise<CommandResult<A>> {
      return this.store.transact(command, (tx) => work(tx, ...command.args));
    }
  }
  return Object.assign(Defined, { Handler, bus: 'commands' as const });
}
