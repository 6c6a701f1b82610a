import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { activeStudent, existingStudent, refuseMerged, student } from '../students/student.js';
import { balance, creditAccount } from './credit-account.js';
import {
  creditTransfer,
  type DecidedTransfer,
  decideTransfer,
  decideUndoTransfer,
} from './credit-transfer.js';
import type { NewCreditTransfer } from './credits.api.js';

/** Transfers credits between two students; both accounts change in one transaction. */
export const TransferCredits = defineCommand(
  'TransferCredits',
  async (tx, de: string, { para, quantidade, motivo }: NewCreditTransfer) => {
    const [owner, receiver, account] = await Promise.all([
      tx.load(student, de),
      tx.load(student, para),
      tx.load(creditAccount, de),
      tx.load(creditAccount, para),
    ]);
    existingStudent(owner);
    activeStudent(receiver);
    const transfer_id = randomUUID();
    const wanted = { transfer_id, de, para, quantidade, motivo };
    return record(tx, { transfer_id, de, para }, decideTransfer(account, wanted, momentOf(tx)));
  },
);

/** Undoes a transfer while none of its credits was used. */
export const UndoCreditTransfer = defineCommand('UndoCreditTransfer', async (tx, transferId: string) => {
  const made = await tx.load(creditTransfer, transferId);
  if (!made) throw new Problem('credits.transfer_not_found');
  const [giver, receiver, de, para] = await Promise.all([
    tx.load(student, made.de),
    tx.load(student, made.para),
    tx.load(creditAccount, made.de),
    tx.load(creditAccount, made.para),
  ]);
  // Its lots are another student's by now.
  for (const who of [giver, receiver]) refuseMerged(who);
  return record(tx, made, decideUndoTransfer(made, { de, para }, momentOf(tx)));
});

const momentOf = ({ now, context: { timezone } }: CommandTransaction) => ({
  now,
  timezone,
  newId: randomUUID,
});

/** Returns the balance of the student who gave the credits. */
async function record(
  tx: CommandTransaction,
  { transfer_id, de, para }: { transfer_id: string; de: string; para: string },
  decided: DecidedTransfer,
) {
  tx.append(creditAccount, de, decided.de);
  tx.append(creditAccount, para, decided.para);
  tx.append(creditTransfer, transfer_id, decided.transfer);
  return { id: transfer_id, saldo: balance(await tx.load(creditAccount, de), tx.now) };
}
