import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import {
  balance,
  creditAccount,
  type CreditEvent,
  decideAdjust,
  decideConsumeByHand,
  type EntryOrigin,
} from './credit-account.js';
import { creditSharing, decideShare, sharingSet } from './credit-sharing.js';
import { sharersOf } from './credit-sharing.loads.js';
import { decideSetRules, makeUpRulesOf } from './make-up.js';
import type { MakeUpChange } from './make-up.api.js';
import type { CreditAdjustment, CreditBalance, CreditUse, SharingChoice } from './credits.api.js';

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
  const [owner, account, { dono_id }] = await Promise.all([
    tx.load(student, studentId),
    tx.load(creditAccount, studentId),
    tx.load(creditSharing, studentId),
  ]);
  existingStudent(owner);
  // What is done by hand is done where the credits are.
  if (dono_id !== null && balance(account, tx.now) === 0)
    throw new Problem('credits.none_available', {
      detail: 'Este aluno usa os créditos de outro. Dê baixa no extrato de quem os comprou.',
    });
  return record(tx, studentId, decideConsumeByHand(account, origin(tx, studentId), use.motivo));
});

/** From then on the student uses the credits of another one after their own, or no longer does. */
export const ShareCredits = defineCommand(
  'ShareCredits',
  async (tx, studentId: string, choice: SharingChoice) => {
    const { dono_id } = choice;
    const [who, state, dono, sharers] = await Promise.all([
      tx.load(student, studentId),
      tx.load(creditSharing, studentId),
      tx.load(creditSharing, dono_id ?? studentId),
      sharersOf(tx, studentId),
    ]);
    existingStudent(who);
    if (dono_id !== null) activeStudent(await tx.load(student, dono_id));
    const known = await Promise.all(sharers.map((id) => tx.load(student, id)));
    const isGone = (_: string, at: number) => known[at]!.status === 'removed';
    const alunos = sharers.filter((id, at) => !isGone(id, at));
    tx.append(creditSharing, studentId, decideShare(state, studentId, choice, { dono, alunos }));
    // Whoever is removed or merged may come back, and would make a chain.
    for (const id of dono_id === null ? [] : sharers.filter(isGone))
      tx.append(creditSharing, id, sharingSet(await tx.load(creditSharing, id), id, null));
    return { id: studentId };
  },
);

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
