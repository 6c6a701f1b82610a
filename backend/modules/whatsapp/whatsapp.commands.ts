import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { derivedId } from '../../platform/derived-id.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { switchLetters } from '../letters/letters.commands.js';
import { remind } from '../charges/reminders.commands.js';
import * as warnings from '../expiry-warnings/expiry-warning.js';
import * as nudges from '../nudges/nudge.js';
import type { NudgeReason } from '../nudges/nudges.api.js';
import { markNudge } from '../nudges/nudges.commands.js';
import { waiting } from '../public-link/waiting.js';
import { markOffer } from '../public-link/waitlist.commands.js';
import * as receipts from '../receipts/receipt.js';
import * as reminders from '../reminders/reminder.js';
import { confirmPresence } from '../student-area/own-changes.commands.js';
import { existingStudent, student } from '../students/student.js';
import { whatsAppAnswer } from './whatsapp-answer.js';
import type { Answer } from './whatsapp-reports.js';
import type { KindSetting, MessageKind, NewWhatsApp, StudentWish, Template } from './whatsapp.api.js';
import {
  decideConnect,
  decideDisconnect,
  decideKind,
  decideReconnect,
  decideResume,
  decideStop,
  whatsAppConnection,
} from './whatsapp-connection.js';
import {
  decideReport,
  decideSent,
  type MessageAbout,
  type Report,
  whatsAppMessage,
  type WhatsAppMessageEvent,
} from './whatsapp-message.js';

export const ConnectWhatsApp = defineCommand('ConnectWhatsApp', async (tx, wanted: NewWhatsApp) => {
  const { tenantId } = tx.context;
  const state = await tx.load(whatsAppConnection, tenantId);
  tx.append(whatsAppConnection, tenantId, decideConnect(state, randomUUID(), wanted));
  return { id: tenantId };
});

export const DisconnectWhatsApp = defineCommand('DisconnectWhatsApp', async (tx) => {
  const { tenantId } = tx.context;
  tx.append(whatsAppConnection, tenantId, decideDisconnect(await tx.load(whatsAppConnection, tenantId)));
  return { id: tenantId };
});

export const ReconnectWhatsApp = defineCommand('ReconnectWhatsApp', async (tx) => {
  const { tenantId } = tx.context;
  tx.append(whatsAppConnection, tenantId, decideReconnect(await tx.load(whatsAppConnection, tenantId)));
  return { id: tenantId };
});

const readTemplates = defineLookUp<{ modelos: Template[] }, []>(
  'select modelos from whatsapp_checks where tenant_id = $1',
);

export const SetWhatsAppKind = defineCommand('SetWhatsAppKind', async (tx, setting: KindSetting) => {
  const { tenantId } = tx.context;
  const [state, [checked]] = await Promise.all([
    tx.load(whatsAppConnection, tenantId),
    tx.lookUp(readTemplates),
  ]);
  tx.append(whatsAppConnection, tenantId, decideKind(state, setting, checked?.modelos ?? []));
  return { id: tenantId };
});

/** Meta refuses the template of a kind or, with null, all that this connection sends. */
export const StopWhatsApp = defineCommand(
  'StopWhatsApp',
  async (tx, connection_id: string, tipo: MessageKind | null, motivo: number) => {
    const { tenantId } = tx.context;
    const state = await tx.load(whatsAppConnection, tenantId);
    tx.append(whatsAppConnection, tenantId, decideStop(state, { connection_id, tipo, motivo }));
    return { id: tenantId };
  },
);

export const ResumeWhatsApp = defineCommand('ResumeWhatsApp', async (tx, connection_id: string) => {
  const { tenantId } = tx.context;
  const state = await tx.load(whatsAppConnection, tenantId);
  tx.append(whatsAppConnection, tenantId, decideResume(state, connection_id));
  return { id: tenantId };
});

/** Of the message about one offer to somebody who waits: as each offer has its own. */
export const offerId = (waitId: string, oferta: number): string => derivedId(`offer/${waitId}/${oferta}`);

type Mark = (tx: CommandTransaction, about: MessageAbout, isSent: boolean) => Promise<void>;

const nudged =
  (motivo: NudgeReason): Mark =>
  async (tx, { subject_id, student_id, sobre_id }, isSent) => {
    const state = await tx.load(nudges.nudge, subject_id);
    if (isSent)
      await markNudge(tx, student_id, { motivo, ...(motivo === 'turma' && { session_id: sobre_id }) });
    else if (state) tx.append(nudges.nudge, subject_id, nudges.decideUnsent(state));
  };

/**
 * What a message was prepared as counts as sent once it is, and waits for a tap again where it does not arrive. A step of the
 * ladder of a charge, and a receipt, stay told: the trainer is notified of it.
 */
const prepared: Record<MessageKind, Mark> = {
  async oferta(tx, { subject_id, sobre_id }, isSent) {
    const oferta = (await tx.load(waiting, sobre_id))?.oferta?.oferta;
    if (oferta !== undefined && offerId(sobre_id, oferta) === subject_id)
      await unlessRefused(() => markOffer(tx, sobre_id, { oferta, enviada: isSent }));
  },
  async lembrete(tx, { subject_id }, isSent) {
    const state = await tx.load(reminders.reminder, subject_id);
    const decide = isSent ? reminders.decideSent : reminders.decideUnsent;
    if (state) tx.append(reminders.reminder, subject_id, decide(state));
  },
  async cobranca(tx, { subject_id }, isSent) {
    if (isSent) await remind(tx, subject_id, 'whatsapp');
  },
  async recibo(tx, { subject_id }, isSent) {
    const state = await tx.load(receipts.receipt, subject_id);
    if (isSent) tx.append(receipts.receipt, subject_id, receipts.decideSend(state, 'whatsapp'));
  },
  async creditos(tx, { subject_id }, isSent) {
    const state = await tx.load(warnings.expiryWarning, subject_id);
    const decide = isSent ? warnings.decideSent : warnings.decideUnsent;
    if (state) tx.append(warnings.expiryWarning, subject_id, decide(state));
  },
  turma: nudged('turma'),
  renovar: nudged('renovar'),
  aniversario: nudged('aniversario'),
  sumindo: nudged('sumindo'),
};

/** Whether it could be done: what it is about may have changed, or be over. */
async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function append(
  tx: CommandTransaction,
  about: MessageAbout,
  events: WhatsAppMessageEvent[],
): Promise<void> {
  tx.append(whatsAppMessage, about.message_id, events);
  for (const { type, data } of events) {
    if (type === 'WhatsAppMessageSent') await prepared[about.tipo](tx, about, true);
    else if (data.estado === 'falhou') await prepared[about.tipo](tx, about, false);
  }
}

/** Of one that failed, the student may get another message on the same day. */
const DONE = `update whatsapp_outbox set done_at = $3, outcome = $4, dia = case when $4 <> 'refused' then dia end
  where tenant_id = $1 and id = $2`;

/** What became of a message that was given to Meta: it was taken, nobody knows, or it was refused for this reason. */
export const RecordWhatsApp = defineCommand(
  'RecordWhatsApp',
  async (tx, about: MessageAbout, result: 'sent' | 'uncertain' | { motivo: number | null }) => {
    const { message_id } = about;
    const state = await tx.load(whatsAppMessage, message_id);
    const isFailed = typeof result === 'object';
    const failed = { estado: 'falhou', em: tx.now.toISOString() } as const;
    const events = isFailed
      ? decideReport(state, about, { ...failed, motivo: result.motivo })
      : decideSent(state, about, result === 'uncertain');
    await append(tx, about, events);
    const outcome = isFailed ? 'refused' : result;
    tx.inTransaction((query) => query(DONE, [tx.context.tenantId, message_id, tx.now, outcome]));
    return { id: message_id };
  },
);

/** A message that was handed over: only of it Meta may report anything. */
const handedOver = defineLookUp<MessageAbout, [id: string]>(
  `select id as message_id, student_id, tipo, subject_id, sobre_id from whatsapp_outbox
   where tenant_id = $1 and id = $2 and began_at is not null`,
);

/** What Meta reports of a message; of one that this tenant has not sent, nothing. */
export const ReportWhatsApp = defineCommand('ReportWhatsApp', async (tx, id: string, report: Report) => {
  const [state, [sending]] = await Promise.all([tx.load(whatsAppMessage, id), tx.lookUp(handedOver, id)]);
  const about = state ?? sending;
  if (about) await append(tx, aboutOf(about), decideReport(state, aboutOf(about), report));
  return { id };
});

const aboutOf = ({ message_id, student_id, tipo, subject_id, sobre_id }: MessageAbout): MessageAbout => ({
  message_id,
  student_id,
  tipo,
  subject_id,
  sobre_id,
});

/** Students and payers who have the number; of a payer, the students whom it is about. */
const ofNumber = defineLookUp<{ id: string; student_id: string }, [number: string]>(
  `select id, id as student_id from students where tenant_id = $1 and coalesce(whatsapp, telefone) = $2
     and status <> 'removed' and nome is not null
   union all select y.id, l.id from payers y
     join student_payers l on l.tenant_id = y.tenant_id and l.payer_id = y.id
     join students s on s.tenant_id = l.tenant_id and s.id = l.id
     where y.tenant_id = $1 and y.whatsapp = $2 and s.status <> 'removed' and s.nome is not null
   order by id, student_id limit 20`,
);
/** The last reminder that was sent to one of these students in the last days: what "sim" is an answer to. */
const lastReminder = defineLookUp<{ id: string }, [students: readonly string[], now: Date]>(
  `select id from whatsapp_outbox where tenant_id = $1 and student_id = any($2) and tipo = 'lembrete'
     and outcome in ('sent', 'uncertain') and done_at > $3::timestamptz - interval '3 days'
   order by done_at desc limit 1`,
);

/**
 * What a student wrote. It confirms the session that the message was about, by what the reminder's link does; it ends the messages;
 * anything else changes nothing but what the trainer is told. Of a number that no student has, nothing is kept.
 */
export const TakeWhatsAppAnswer = defineCommand(
  'TakeWhatsAppAnswer',
  async (tx, { wamid, from, messageId, sentido: meant, texto }: Answer) => {
    const { tenantId: id } = tx.context;
    const answer_id = derivedId(`whatsapp/${id}/${wamid}`);
    const [isKnown, exact] = await Promise.all([
      tx.load(whatsAppAnswer, answer_id),
      tx.lookUp(ofNumber, `+${from}`),
    ]);
    // Meta leaves out the nine of some Brazilian mobiles, which then look like somebody's landline.
    const mobile = `+${from.replace(/^(55\d\d)(\d{8})$/, '$19$2')}`;
    const found = exact.length > 0 ? exact : await tx.lookUp(ofNumber, mobile);
    const students = [...new Set(found.map((one) => one.student_id))];
    if (isKnown || students.length === 0) return { id };
    const last = messageId ?? (await tx.lookUp(lastReminder, students, tx.now))[0]?.id;
    const message = last === undefined ? undefined : await tx.load(whatsAppMessage, last);
    const about = message && students.includes(message.student_id) ? message : undefined;
    const reminder =
      about?.tipo === 'lembrete' ? await tx.load(reminders.reminder, about.subject_id) : undefined;
    const sentido = meant === 'parar' || reminder ? meant : 'outra';
    const student_id = about?.student_id ?? students[0]!;
    const takes =
      sentido !== 'confirma' ||
      (await unlessRefused(() => confirmPresence(tx, reminder!.reminder_id, reminder!.session_id)));
    tx.append(whatsAppAnswer, answer_id, [
      {
        type: 'WhatsAppAnswered',
        data: {
          answer_id,
          student_id,
          message_id: about?.message_id ?? null,
          texto,
          session_id: reminder?.session_id ?? null,
          inicio: reminder?.inicio ?? null,
          sentido: takes ? sentido : 'outra',
        },
      },
    ]);
    // Who shares the number wrote for all who have it.
    if (sentido === 'parar')
      for (const person of new Set(found.map((one) => one.id)))
        await switchLetters(tx, person, 'whatsapp', false);
    return { id };
  },
);

/** The trainer knows that a student wants no messages that send themselves, or wants them again. */
export const SetWhatsAppWish = defineCommand(
  'SetWhatsAppWish',
  async (tx, id: string, { recebe }: StudentWish) => {
    existingStudent(await tx.load(student, id));
    await switchLetters(tx, id, 'whatsapp', recebe);
    return { id };
  },
);
