import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { dateOf } from '../../platform/local-time.js';
import { mailsOf, type WantedMail } from '../../platform/mail/mail-limits.js';
import { charge, decideRemind, decideSend } from './charge.js';
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
  return true;
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
