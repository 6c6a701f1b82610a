import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { dateOf } from '../../platform/local-time.js';
import { mailsOf, type WantedMail } from '../../platform/mail/mail-limits.js';
import { studentPayer } from '../payers/student-payer.js';
import { openFirst } from './bill-payment.js';
import { chargesOfPayer } from './bills.loads.js';
import { charge, decideRemind, decideSend, type KnownCharge } from './charge.js';
import type { ReminderChannel } from './charges.api.js';
import { loadCharge } from './charges.commands.js';
import { stepOf } from './days.js';

const remindedOn = defineLookUp<{ charge_id: string }, [claim: string]>(
  'select charge_id from charge_claims where tenant_id = $1 and claim = $2',
);

/**
 * Records that a student was reminded of a charge, on its current step. False if the reminder is not due: the charge was paid
 * or promised meanwhile, the step was sent before, the student was already reminded today, or `mail` may not be sent.
 */
export async function remind(
  tx: CommandTransaction,
  id: string,
  canal: ReminderChannel,
  mail?: WantedMail,
): Promise<boolean> {
  const state = await loadCharge(tx, id);
  const dia = dateOf(tx.now, tx.context.timezone);
  const degrau = stepOf(state.vencimento, dia);
  const isPromised = state.prometida !== null && state.prometida >= dia;
  if (degrau === null || isPromised) return false;
  const events = decideRemind(state, { degrau, canal, dia });
  if (events.length === 0) return false;
  const [before] = await tx.lookUp(remindedOn, `reminded:${state.student_id}:${dia}`);
  if (before || (mail && (await mailsOf(tx)(mail)) !== null)) return false;
  tx.append(charge, id, events);
  const { payer_id } = await tx.load(studentPayer, state.student_id);
  if (payer_id !== null) await remindSiblings(tx, payer_id, state, { canal, dia });
  return true;
}

/** Who pays for several students is reminded of all at once: that counts for the charge of each that was due first. */
async function remindSiblings(
  tx: CommandTransaction,
  payerId: string,
  { student_id }: KnownCharge,
  { canal, dia }: { canal: ReminderChannel; dia: string },
): Promise<void> {
  const told = new Set([student_id]);
  for (const other of openFirst(await chargesOfPayer(tx, payerId), dia)) {
    const degrau = stepOf(other.vencimento, dia);
    if (told.has(other.student_id) || degrau === null) continue;
    const [before] = await tx.lookUp(remindedOn, `reminded:${other.student_id}:${dia}`);
    const events = before ? [] : decideRemind(other, { degrau, canal, dia });
    tx.append(charge, other.charge_id, events);
    if (events.length > 0) told.add(other.student_id);
  }
}

/** A reminder that the trainer has opened in WhatsApp. */
export const NoteReminder = defineCommand('NoteReminder', async (tx, id: string) => {
  await remind(tx, id, 'whatsapp');
  return { id };
});

/** A charge whose message the trainer has opened in WhatsApp. */
export const NoteSent = defineCommand('NoteSent', async (tx, id: string) => {
  tx.append(charge, id, decideSend(await loadCharge(tx, id), dateOf(tx.now, tx.context.timezone)));
  return { id };
});
