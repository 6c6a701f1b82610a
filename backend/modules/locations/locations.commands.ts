import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { decideAdd, decideRemove, decideRestore, decideUpdate, location } from './location.js';
import { isLocationInUse } from './location-links.guard.js';
import type { LocationChanges, NewLocation } from './locations.api.js';

type Result = Promise<CommandResult<Created>>;

export class AddLocation extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly fields: NewLocation,
  ) {
    super();
  }
}

@CommandHandler(AddLocation)
export class AddLocationHandler implements ICommandHandler<AddLocation> {
  constructor(private readonly store: EventStore) {}

  execute(command: AddLocation): Result {
    return this.store.transact(command, (tx) => {
      const id = randomUUID();
      tx.append(location, id, decideAdd(id, command.fields));
      return { id };
    });
  }
}

export class UpdateLocation extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly changes: LocationChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdateLocation)
export class UpdateLocationHandler implements ICommandHandler<UpdateLocation> {
  constructor(private readonly store: EventStore) {}

  execute(command: UpdateLocation): Result {
    const { id, changes } = command;
    return this.store.transact(command, async (tx) => {
      tx.append(location, id, decideUpdate(await tx.load(location, id), changes));
      return { id };
    });
  }
}

export class RemoveLocation extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveLocation)
export class RemoveLocationHandler implements ICommandHandler<RemoveLocation> {
  constructor(private readonly store: EventStore) {}

  execute(command: RemoveLocation): Result {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      const [state, inUse] = await Promise.all([tx.load(location, id), isLocationInUse(tx, id)]);
      tx.append(location, id, decideRemove(state, inUse));
      return { id };
    });
  }
}

export class RestoreLocation extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RestoreLocation)
export class RestoreLocationHandler implements ICommandHandler<RestoreLocation> {
  constructor(private readonly store: EventStore) {}

  execute(command: RestoreLocation): Result {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      tx.append(location, id, decideRestore(await tx.load(location, id)));
      return { id };
    });
  }
}
