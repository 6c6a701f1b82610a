import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { allowMails, noteReport, stopMails } from '../../platform/mail/mail-limits.js';
import type { MailReport } from '../../platform/mail/mail-reports.js';
import { whoStays } from '../students/merged.loads.js';
import { payer } from '../payers/payer.js';
import { student } from '../students/student.js';
import type { Unwanted } from './letters.api.js';
import type { FoundLetterLink } from './letters.queries.js';
import { usualMails } from './notification-settings.api.js';

const OFF = `insert into letters_off (tenant_id, student_id, kind) values ($1, $2, $3) on conflict do nothing`;
const ON = 'delete from letters_off where tenant_id = $1 and student_id = $2 and kind = $3';
/** Also switches them on in the settings of the student's account, where they may have been switched off. */
const ON_IN_ACCOUNT = `update notification_settings c set desligados = array_remove(c.desligados, $3),
    email = case when $3 = any($4::text[]) then array_append(array_remove(c.email, $3), $3) else c.email end
  from memberships m
  where m.tenant_id = $1 and m.student_id = $2 and c.tenant_id = m.tenant_id and c.user_id = m.user_id`;
const OFF_TOO = `insert into letters_off (tenant_id, student_id, kind)
  select tenant_id, $3, kind from letters_off where tenant_id = $1 and student_id = $2 on conflict do nothing`;
const FORGET_CHOICES = 'delete from letters_off where student_id = $1 returning kind';
const FORGET_LINKS = 'delete from letter_links where student_id = $1 returning kind';

/** The mail that a link is in. */
type OfMail = Pick<FoundLetterLink, 'addressHash' | 'cause' | 'kind'>;

/** Ends or allows all mails of the tenant to an address, also where its person was forgotten. */
export const StopMails = defineCommand('StopMails', (tx, mail: OfMail, isOn: boolean) => {
  if (isOn) allowMails(tx, mail);
  else stopMails(tx, mail);
  return { id: tx.context.studentId! };
});

/** Notes for the trainer that a mail did not arrive, and ends the mails to an address that is dead or whose person complained. */
export const TakeMailReport = defineCommand(
  'TakeMailReport',
  async (tx, mail: OfMail, why: MailReport['why']) => {
    const { studentId } = tx.context;
    const told = (await isKnown(tx, studentId!)) ? studentId : null;
    noteReport(tx, mail, [why, told]);
    return { id: studentId! };
  },
);

/** Whether it is a student or a payer who was not forgotten. */
async function isKnown(tx: CommandTransaction, id: string): Promise<boolean> {
  const [who, pays] = await Promise.all([tx.load(student, id), tx.load(payer, id)]);
  return (who.status !== 'unknown' && who.nome !== null) || (pays?.nome ?? null) !== null;
}

/**
 * Switches the mails of a kind to a student or payer on or off, also by a mail from before the student was merged into another. Records no event,
 * because this is no fact of the business.
 */
export const SwitchLetters = defineCommand('SwitchLetters', async (tx, kind: Unwanted, isOn: boolean) => {
  await switchLetters(tx, tx.context.studentId!, kind, isOn);
  return { id: tx.context.studentId! };
});

export async function switchLetters(
  tx: CommandTransaction,
  studentId: string,
  kind: Unwanted,
  isOn: boolean,
): Promise<void> {
  const { tenantId } = tx.context;
  // Nothing is kept about somebody who was forgotten.
  if (!(await isKnown(tx, studentId))) return;
  const who = await tx.load(student, studentId);
  const stays = who.status === 'unknown' ? undefined : await whoStays(tx, who);
  for (const id of new Set([studentId, stays?.student_id ?? studentId])) {
    const values = [tenantId, id, kind];
    tx.inTransaction(async (query) => {
      await query(isOn ? ON : OFF, values);
      if (isOn) await query(ON_IN_ACCOUNT, [...values, usualMails.aluno]);
    });
  }
}

/** What somebody wanted no more mails of holds for another record of the same person too. */
export function keepSwitchedOff(tx: CommandTransaction, of: string, by: string): void {
  tx.inTransaction((query) => query(OFF_TOO, [tx.context.tenantId, of, by]));
}

/** Forgets which mails a student or payer wanted, and the links to choose by. */
export function forgetLetters(tx: CommandTransaction, studentId: string): void {
  tx.inTransaction((query) => query(FORGET_CHOICES, [studentId]));
  tx.inTransaction((query) => query(FORGET_LINKS, [studentId]));
}
