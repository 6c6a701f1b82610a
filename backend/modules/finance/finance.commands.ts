import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { namedId } from '../../platform/derived-id.js';
import { dateOf } from '../../platform/local-time.js';
import { Problem } from '../../platform/http/problem.js';
import { financialSettings } from '../settings/financial-settings.js';
import { existingStudent, student } from '../students/student.js';
import { decideDeliver, decideNoteChange, decideUndoDelivery, deliveredMonth } from './delivered-month.js';
import type { TransactionReversal, NewTransaction, TransactionCorrection } from './finance.api.js';
import { decideCorrect, decideRecord, decideReverse, type EntryTerms, transaction } from './transaction.js';

/** Returns the entry's id, and how much of it goes to the reserve. */
export const RecordTransaction = defineCommand('RecordTransaction', async (tx, entry: NewTransaction) => {
  const id = randomUUID();
  await refuseUnknownStudent(tx, entry);
  const recorded = decideRecord(id, entry, await loadEntryTerms(tx));
  tx.append(transaction, id, recorded);
  const reserva = recorded[0]!.data.alocacoes.find(({ tipo }) => tipo === 'reserva')?.valor ?? 0;
  return { id, reserva };
});

export async function loadEntryTerms(tx: CommandTransaction): Promise<EntryTerms> {
  const { tenantId, timezone } = tx.context;
  const { imposto, reserva, operacional, retirada } = await tx.load(financialSettings, tenantId);
  return { imposto, reserva, operacional, retirada, today: dateOf(tx.now, timezone) };
}

export async function refuseUnknownStudent(
  tx: CommandTransaction,
  { student_id }: Pick<NewTransaction, 'student_id'>,
): Promise<void> {
  if (student_id) existingStudent(await tx.load(student, student_id));
}

/** The charge that a receita pays. */
const chargeOf = defineLookUp<{ charge_id: string }, [claim: string]>(
  'select charge_id from charge_claims where tenant_id = $1 and claim = $2',
);

export async function chargePaidBy(tx: CommandTransaction, id: string): Promise<string | null> {
  const [paid] = await tx.lookUp(chargeOf, `transaction:${id}`);
  return paid?.charge_id ?? null;
}

/** Refuses a receita that pays a charge: it can only be reversed by undoing that payment. */
async function refusePayment(tx: CommandTransaction, id: string): Promise<void> {
  const charge_id = await chargePaidBy(tx, id);
  if (charge_id !== null) throw new Problem('finance.settles_charge', { charge_id });
}

/** Returns the id of the reversing entry. */
export const ReverseTransaction = defineCommand(
  'ReverseTransaction',
  async (tx, id: string, { motivo }: TransactionReversal) => {
    const reversal = randomUUID();
    const events = decideReverse(await tx.load(transaction, id), reversal, motivo);
    await refusePayment(tx, id);
    tx.append(transaction, id, events);
    return { id: reversal };
  },
);

/** Reverses an entry and records its replacement; returns the new entry's id. */
export const CorrectTransaction = defineCommand(
  'CorrectTransaction',
  async (tx, id: string, correction: TransactionCorrection) => {
    const ids = { estorno_id: randomUUID(), transaction_id: randomUUID() };
    const state = await tx.load(transaction, id);
    const { reversed, recorded } = decideCorrect(state, correction, ids, await loadEntryTerms(tx));
    if (correction.student_id !== state?.student_id) await refuseUnknownStudent(tx, correction);
    await refusePayment(tx, id);
    tx.append(transaction, id, reversed);
    tx.append(transaction, ids.transaction_id, recorded);
    return { id: ids.transaction_id };
  },
);

/** `month`: `2026-11` */
const aboutOf = (tx: CommandTransaction, month: string) => ({
  delivery_id: namedId(`delivered-month/${tx.context.tenantId}/${month}`),
  mes: `${month}-01`,
});

export const DeliverMonth = defineCommand('DeliverMonth', async (tx, month: string) => {
  const about = aboutOf(tx, month);
  await tx.load(deliveredMonth, about.delivery_id);
  tx.append(deliveredMonth, about.delivery_id, decideDeliver(about, dateOf(tx.now, tx.context.timezone)));
  return { id: about.delivery_id };
});

export const UndoMonthDelivery = defineCommand('UndoMonthDelivery', async (tx, month: string) => {
  const about = aboutOf(tx, month);
  const state = await tx.load(deliveredMonth, about.delivery_id);
  tx.append(deliveredMonth, about.delivery_id, decideUndoDelivery(state, about));
  return { id: about.delivery_id };
});

export const NoteMonthChange = defineCommand(
  'NoteMonthChange',
  async (tx, month: string, transactionId: string) => {
    const about = aboutOf(tx, month);
    const state = await tx.load(deliveredMonth, about.delivery_id);
    tx.append(deliveredMonth, about.delivery_id, decideNoteChange(state, about, transactionId));
    return { id: about.delivery_id };
  },
);
