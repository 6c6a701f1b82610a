import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { decideCreate, decideRemove, decideRestore, decideUpdate, plan } from './plan.js';
import { isPlanInUse } from './plan-links.guard.js';
import type { PlanChanges, NewPlan } from './plans.api.js';

type Result = Promise<CommandResult<Created>>;

export class CreatePlan extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly fields: NewPlan,
  ) {
    super();
  }
}

@CommandHandler(CreatePlan)
export class CreatePlanHandler implements ICommandHandler<CreatePlan> {
  constructor(private readonly store: EventStore) {}

  execute(command: CreatePlan): Result {
    return this.store.transact(command, (tx) => {
      const id = randomUUID();
      tx.append(plan, id, decideCreate(id, command.fields));
      return { id };
    });
  }
}

export class UpdatePlan extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly changes: PlanChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdatePlan)
export class UpdatePlanHandler implements ICommandHandler<UpdatePlan> {
  constructor(private readonly store: EventStore) {}

  execute(command: UpdatePlan): Result {
    const { id, changes } = command;
    return this.store.transact(command, async (tx) => {
      tx.append(plan, id, decideUpdate(await tx.load(plan, id), changes));
      return { id };
    });
  }
}

export class RemovePlan extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RemovePlan)
export class RemovePlanHandler implements ICommandHandler<RemovePlan> {
  constructor(private readonly store: EventStore) {}

  execute(command: RemovePlan): Result {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      const [state, inUse] = await Promise.all([tx.load(plan, id), isPlanInUse(tx, id)]);
      tx.append(plan, id, decideRemove(state, inUse));
      return { id };
    });
  }
}

export class RestorePlan extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RestorePlan)
export class RestorePlanHandler implements ICommandHandler<RestorePlan> {
  constructor(private readonly store: EventStore) {}

  execute(command: RestorePlan): Result {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      tx.append(plan, id, decideRestore(await tx.load(plan, id)));
      return { id };
    });
  }
}
