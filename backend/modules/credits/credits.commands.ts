import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { existingStudent, student } from '../students/student.js';
import {
  balance,
  creditAccount,
  type CreditEvent,
  decideAdjust,
  decideConsumeByHand,
  type EntryOrigin,
} from './credit-account.js';
import { decideSetRules, makeUpRulesOf } from './make-up.js';
import type { MakeUpChange } from './make-up.api.js';
import type { CreditAdjustment, CreditBalance, CreditUse } from './credits.api.js';

export const AdjustCredits = defineCommand(
  'AdjustCredits',
  async (tx, studentId: string, adjustment: CreditAdjustment) => {
    const [owner, account] = await Promise.all([
      tx.load(student, studentId),
      tx.load(creditAccount, studentId),
    ]);
    existingStudent(owner);
    return record(tx, studentId, decideAdjust(account, origin(tx, studentId), adjustment));
  },
);

export const ConsumeCredit = defineCommand('ConsumeCredit', async (tx, studentId: string, use: CreditUse) => {
  const [owner, account] = await Promise.all([
    tx.load(student, studentId),
    tx.load(creditAccount, studentId),
  ]);
  existingStudent(owner);
  return record(tx, studentId, decideConsumeByHand(account, origin(tx, studentId), use.motivo));
});

export const SetMakeUpRules = defineCommand('SetMakeUpRules', async (tx, wanted: MakeUpChange) => {
  const id = tx.context.tenantId;
  tx.append(makeUpRulesOf, id, decideSetRules(await tx.load(makeUpRulesOf, id), wanted));
  return { id };
});

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
