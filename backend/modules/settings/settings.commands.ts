import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { decideChange, decideComplete, financialSettings } from './financial-settings.js';
import type { FinancialSettings, OnboardingData } from './settings.api.js';

export class ChangeFinancialSettings extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly wanted: FinancialSettings,
  ) {
    super();
  }
}

@CommandHandler(ChangeFinancialSettings)
export class ChangeFinancialSettingsHandler implements ICommandHandler<ChangeFinancialSettings> {
  constructor(private readonly store: EventStore) {}

  execute(command: ChangeFinancialSettings): Promise<CommandResult<Created>> {
    const { tenantId: id } = command.context;
    return this.store.transact(command, async (tx) => {
      tx.append(financialSettings, id, decideChange(await tx.load(financialSettings, id), command.wanted));
      return { id };
    });
  }
}

export class CompleteOnboarding extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly answers: OnboardingData,
  ) {
    super();
  }
}

@CommandHandler(CompleteOnboarding)
export class CompleteOnboardingHandler implements ICommandHandler<CompleteOnboarding> {
  constructor(private readonly store: EventStore) {}

  execute(command: CompleteOnboarding): Promise<CommandResult<Created>> {
    const { tenantId: id } = command.context;
    return this.store.transact(command, async (tx) => {
      tx.append(financialSettings, id, decideComplete(await tx.load(financialSettings, id), command.answers));
      return { id };
    });
  }
}
