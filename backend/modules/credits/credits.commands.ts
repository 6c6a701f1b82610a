import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Problem } from '../../platform/http/problem.js';
import { existingPlan, plan } from '../plans/plan.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import {
  balance,
  creditAccount,
  type CreditEvent,
  decideAdjust,
  decideConsumeByHand,
  decideGrant,
  type EntryOrigin,
} from './credit-account.js';
import type { CreditAdjustment, CreditBalance, CreditUse } from './credits.api.js';

type Result = Promise<CommandResult<CreditBalance>>;

export class RenewCredits extends Command<CommandResult<CreditBalance>> {
  constructor(
    readonly context: CommandContext,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(RenewCredits)
export class RenewCreditsHandler implements ICommandHandler<RenewCredits> {
  constructor(private readonly store: EventStore) {}

  execute(command: RenewCredits): Result {
    const { studentId } = command;
    return this.store.transact(command, async (tx) => {
      const [owner] = await Promise.all([tx.load(student, studentId), tx.load(creditAccount, studentId)]);
      const { plano_id } = activeStudent(owner);
      if (plano_id === null) throw new Problem('credits.no_plan');
      const renewed = existingPlan(await tx.load(plan, plano_id));
      const grant = { ...renewed, id: renewed.plan_id };
      return record(tx, studentId, decideGrant(origin(tx, studentId), grant, tx.context.timezone));
    });
  }
}

export class AdjustCredits extends Command<CommandResult<CreditBalance>> {
  constructor(
    readonly context: CommandContext,
    readonly studentId: string,
    readonly adjustment: CreditAdjustment,
  ) {
    super();
  }
}

@CommandHandler(AdjustCredits)
export class AdjustCreditsHandler implements ICommandHandler<AdjustCredits> {
  constructor(private readonly store: EventStore) {}

  execute(command: AdjustCredits): Result {
    const { studentId, adjustment } = command;
    return this.store.transact(command, async (tx) => {
      const [owner, account] = await Promise.all([
        tx.load(student, studentId),
        tx.load(creditAccount, studentId),
      ]);
      existingStudent(owner);
      return record(tx, studentId, decideAdjust(account, origin(tx, studentId), adjustment));
    });
  }
}

export class ConsumeCredit extends Command<CommandResult<CreditBalance>> {
  constructor(
    readonly context: CommandContext,
    readonly studentId: string,
    readonly use: CreditUse,
  ) {
    super();
  }
}

@CommandHandler(ConsumeCredit)
export class ConsumeCreditHandler implements ICommandHandler<ConsumeCredit> {
  constructor(private readonly store: EventStore) {}

  execute(command: ConsumeCredit): Result {
    const { studentId, use } = command;
    return this.store.transact(command, async (tx) => {
      const [owner, account] = await Promise.all([
        tx.load(student, studentId),
        tx.load(creditAccount, studentId),
      ]);
      existingStudent(owner);
      return record(tx, studentId, decideConsumeByHand(account, origin(tx, studentId), use.motivo));
    });
  }
}

function origin(tx: CommandTransaction, student_id: string): EntryOrigin {
  return { student_id, entry_id: randomUUID(), now: tx.now };
}

async function record(
  tx: CommandTransaction,
  studentId: string,
  events: CreditEvent[],
): Promise<CreditBalance> {
  tx.append(creditAccount, studentId, events);
  return { saldo: balance(await tx.load(creditAccount, studentId), tx.now) };
}
