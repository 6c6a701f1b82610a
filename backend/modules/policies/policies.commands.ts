import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { existingLocation, location } from '../locations/location.js';
import { cancellationPolicy, decideSet } from './cancellation-policy.js';
import type { PolicyTerms } from './policies.api.js';

export class SetCancellationPolicy extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly locationId: string,
    readonly terms: PolicyTerms,
  ) {
    super();
  }
}

@CommandHandler(SetCancellationPolicy)
export class SetCancellationPolicyHandler implements ICommandHandler<SetCancellationPolicy> {
  constructor(private readonly store: EventStore) {}

  execute(command: SetCancellationPolicy): Promise<CommandResult<Created>> {
    const { locationId, terms } = command;
    return this.store.transact(command, async (tx) => {
      const [place, policy] = await Promise.all([
        tx.load(location, locationId),
        tx.load(cancellationPolicy, locationId),
      ]);
      existingLocation(place);
      tx.append(cancellationPolicy, locationId, decideSet(policy, locationId, terms));
      return { id: locationId };
    });
  }
}
