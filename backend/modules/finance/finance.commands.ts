import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { financialSettings } from '../settings/financial-settings.js';
import type { NewTransaction } from './finance.api.js';
import { decideRecord, decideReverse, transaction } from './transaction.js';

export class RecordTransaction extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly entry: NewTransaction,
  ) {
    super();
  }
}

@CommandHandler(RecordTransaction)
export class RecordTransactionHandler implements ICommandHandler<RecordTransaction> {
  constructor(private readonly store: EventStore) {}

  execute(command: RecordTransaction): Promise<CommandResult<Created>> {
    const id = randomUUID();
    return this.store.transact(command, async (tx) => {
      const { imposto, reserva, operacional, retirada } = await tx.load(
        financialSettings,
        command.context.tenantId,
      );
      const shares = { imposto, reserva, operacional, retirada };
      tx.append(transaction, id, decideRecord(id, command.entry, shares));
      return { id };
    });
  }
}

/** Answers the id of the counter-entry. */
export class ReverseTransaction extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(ReverseTransaction)
export class ReverseTransactionHandler implements ICommandHandler<ReverseTransaction> {
  constructor(private readonly store: EventStore) {}

  execute(command: ReverseTransaction): Promise<CommandResult<Created>> {
    const reversal = randomUUID();
    return this.store.transact(command, async (tx) => {
      tx.append(transaction, command.id, decideReverse(await tx.load(transaction, command.id), reversal));
      return { id: reversal };
    });
  }
}
