import { derivedId } from '../../platform/derived-id.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { mailsOf } from '../../platform/mail/mail-limits.js';
import { decideChange, session } from '../sessions/session.js';
import { student } from '../students/student.js';
import { decideConfirm, decidePrepare, decideSent, decideUnsent, reminder } from './reminder.js';

/** A session of a student, with the time that it had when it was found. */
export interface DueReminder {
  session_id: string;
  student_id: string;
  inicio: string;
}

/** The id is derived from the announced session, student and start, so that preparing it twice makes one reminder. */
export function reminderIdOf({ session_id, student_id, inicio }: DueReminder): string {
  return derivedId(`${session_id}/${student_id}/${inicio}`);
}

/** Who gets no mail gets the reminder by WhatsApp. */
export const PrepareReminders = defineCommand(
  'PrepareReminders',
  { tokens: LinkTokens, addresses: MailAddresses },
  async (tx, { tokens, addresses }, due: readonly DueReminder[]) => {
    const { tenantId: id } = tx.context;
    const take = mailsOf(tx);
    await Promise.all(
      due.map(async (each) => {
        const reminder_id = reminderIdOf(each);
        const [known, of, who] = await Promise.all([
          tx.load(reminder, reminder_id),
          tx.load(session, each.session_id),
          tx.load(student, each.student_id),
        ]);
        if (who.status !== 'active' || who.nome === null) return;
        const prepared = {
          ...each,
          reminder_id,
          token_hash: tokens.storedHashOf('reminder', reminder_id),
          por_email: who.email !== null,
        };
        const [event] = decidePrepare(known, of, prepared, tx.now);
        if (!event) return;
        const { student_id: personId } = each;
        const por_email =
          who.email !== null &&
          (await take({
            personId,
            addressHash: addresses.hashOf(who.email),
            cause: 'trainer',
            thing: `reminder/${reminder_id}`,
          })) === null;
        tx.append(reminder, reminder_id, decidePrepare(known, of, { ...prepared, por_email }, tx.now));
      }),
    );
    return { id, preparados: tx.appended };
  },
);

export const MarkReminderSent = defineCommand('MarkReminderSent', async (tx, id: string) => {
  tx.append(reminder, id, decideSent(await tx.load(reminder, id)));
  return { id };
});

export const MarkReminderUnsent = defineCommand('MarkReminderUnsent', async (tx, id: string) => {
  tx.append(reminder, id, decideUnsent(await tx.load(reminder, id)));
  return { id };
});

/** What the reminder announced takes place. @throws Problem 409 where the session is not that any more */
export async function confirm(tx: CommandTransaction, id: string, sessionId: string) {
  const [known, of] = await Promise.all([tx.load(reminder, id), tx.load(session, sessionId)]);
  const events = decideConfirm(known, of, tx.now);
  tx.append(reminder, id, events);
  if (of && events.length > 0) {
    const { credito, valor } = of;
    tx.append(session, sessionId, decideChange(of, { confirmado: true }, { credito, valor }));
  }
  return { id, nova: events.length > 0 };
}
