import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { decideZone, tenant } from './tenant.js';

/** What every request of the tenant's is shown in. */
const SET_ZONE = 'update tenants set timezone = $2 where tenant_id = $1';

export class ChangeZone extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    /** IANA name. */
    readonly timezone: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeZone)
export class ChangeZoneHandler implements ICommandHandler<ChangeZone> {
  constructor(private readonly store: EventStore) {}

  execute(command: ChangeZone): Promise<CommandResult<Created>> {
    const { timezone, context } = command;
    const { tenantId: id } = context;
    return this.store.transact(command, async (tx) => {
      tx.append(tenant, id, decideZone(await tx.load(tenant, id), timezone));
      await tx.query(SET_ZONE, [id, timezone]);
      return { id };
    });
  }
}
