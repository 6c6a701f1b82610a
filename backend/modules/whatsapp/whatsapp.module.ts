import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { stateProjection } from '../../platform/projections/projection.js';
import type { MessageState } from '../../platform/whatsapp-messages.api.js';
import { whatsAppApi, whatsAppErrors } from './whatsapp.api.js';
import {
  ConnectWhatsApp,
  DisconnectWhatsApp,
  ReconnectWhatsApp,
  RecordWhatsApp,
  ReportWhatsApp,
  ResumeWhatsApp,
  SetWhatsAppKind,
  SetWhatsAppWish,
  StopWhatsApp,
  TakeWhatsAppAnswer,
} from './whatsapp.commands.js';
import { WhatsAppController, WhatsAppHookController } from './whatsapp.controller.js';
import { whatsAppHistory } from './whatsapp.history.js';
import { checkWhatsApp, sendDueWhatsApp, sendWhatsApp } from './whatsapp.job.js';
import { ShowWhatsApp } from './whatsapp.queries.js';
import { type Meaning, whatsAppAnswer } from './whatsapp-answer.js';
import { WhatsAppChecks, whatsAppChecks } from './whatsapp-checks.service.js';
import { WhatsAppClient } from './whatsapp-client.service.js';
import { whatsAppConnection, type WhatsAppState } from './whatsapp-connection.js';
import { WhatsAppConnections } from './whatsapp-connections.service.js';
import { type MessageAbout, whatsAppMessage } from './whatsapp-message.js';
import { WhatsAppSender, whatsAppMessages, type Wanted } from './whatsapp-sender.service.js';
import { WhatsAppWords } from './whatsapp-words.service.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachTenantByDay } from '../../platform/jobs/each-alone.js';
import { dateOf } from '../../platform/local-time.js';
import { stepOf } from '../charges/days.js';
import { dueReminders } from '../charges/receivables.queries.js';
import { nudgeId } from '../nudges/nudges.commands.js';
import { nudgesToSend } from '../nudges/nudges.queries.js';

interface ConnectionRow extends Pick<WhatsAppState, 'modelos' | 'parados' | 'parada'> {
  connection_id: string;
  conectado: boolean;
  desde: Date;
}

const TENANTS = 'select tenant_id, timezone from tenants_with_daily_whatsapp()';
const nudgesOf = statement((db, at: Blanks<{ now: Date; today: string }>) =>
  db.selectFrom(nudgesToSend(at).as('n')).selectAll().compile(),
);
const SEE = "select set_config('app.tenant', $1, true)";

/**
 * Puts what students are to be told today into the outbox, because it follows from no event but a day: charges that are due for a
 * reminder, once for each step (students with an address have it by mail), birthdays, and that they are missed.
 */
export const dailyWhatsApp = defineSchedule(
  'whatsapp-daily',
  900_000,
  { database: Database, sender: WhatsAppSender },
  (now, { database, sender }) =>
    eachTenantByDay(database, now, { select: TENANTS, values: [] }, async (tenantId, zone) => {
      const today = dateOf(now, zone);
      const [charges, nudges] = await Promise.all([
        database.read(tenantId, dueReminders({ today, zone })),
        database.report(tenantId, nudgesOf({ now, today })),
      ]);
      const wanted: Wanted[] = nudges.map(({ student_id, motivo, session_id }) => ({
        tipo: motivo,
        student_id,
        sobre_id: session_id ?? student_id,
        subject_id: nudgeId(student_id, { motivo, ...(session_id && { session_id }) }, today),
      }));
      for (const { id, student_id, vencimento, email } of charges)
        if (email === null)
          wanted.push({
            tipo: 'cobranca',
            subject_id: id,
            student_id,
            sobre_id: id,
            key: `/${stepOf(vencimento, today)}`,
          });
      const wake = await database.transact(async (query) => {
        await query(SEE, [tenantId]);
        return sender.add(query, tenantId, wanted);
      });
      wake?.();
    }),
);

const stateOf = (row: ConnectionRow | undefined): WhatsAppState => {
  if (!row) return whatsAppConnection.initialState;
  const { connection_id, conectado, modelos, parados, parada } = row;
  const known = { numero_id: '', conta_id: '', token_acesso: null, client_secret: null };
  return { last: { connection_id, ...known }, connected: conectado, modelos, parados, parada };
};

/** The connection, under the tenant's id, also once it is disconnected: it may come back. What lets us in is only in the log. */
const connections = stateProjection(whatsAppConnection, {
  name: 'whatsapp-connections',
  topic: 'settings',
  table: 'whatsapp_connections',
  evolve(row: ConnectionRow | undefined, event): ConnectionRow | null {
    const { last, connected, modelos, parados, parada } = whatsAppConnection.evolve(stateOf(row), event);
    if (!last) return null;
    const desde = event.type === 'WhatsAppConnected' ? event.recordedAt : row!.desde;
    return { connection_id: last.connection_id, conectado: connected, desde, modelos, parados, parada };
  },
});

interface MessageRow extends Omit<MessageAbout, 'message_id'> {
  estado: MessageState['estado'];
  em: Date | string;
  motivo: number | null;
}

/** What became of each message. */
const messages = stateProjection(whatsAppMessage, {
  name: 'whatsapp-messages',
  topic: 'whatsapp',
  table: 'whatsapp_messages',
  evolve(_row: MessageRow | undefined, { type, data, recordedAt }): MessageRow {
    const { student_id, tipo, subject_id, sobre_id } = data;
    const about = { student_id, tipo, subject_id, sobre_id };
    switch (type) {
      case 'WhatsAppMessageSent':
        return { ...about, estado: data.incerta ? 'incerta' : 'enviada', em: recordedAt, motivo: null };
      case 'WhatsAppMessageReported':
        return { ...about, estado: data.estado, em: data.em, motivo: data.motivo };
    }
  },
});

interface AnswerRow {
  student_id: string;
  sentido: Meaning;
  texto: string | null;
  em: Date;
}

/** What students wrote. */
const answers = stateProjection(whatsAppAnswer, {
  name: 'whatsapp-answers',
  topic: 'whatsapp',
  table: 'whatsapp_answers',
  evolve(_row: AnswerRow | undefined, { type, data, recordedAt }): AnswerRow {
    switch (type) {
      case 'WhatsAppAnswered': {
        const { student_id, sentido, texto } = data;
        return { student_id, sentido, texto, em: recordedAt };
      }
    }
  },
});

/**
 * Messages that send themselves, by Meta's WhatsApp Business Cloud API, beside those that the trainer sends by a tap.
 *
 * A trainer may connect a number of the API (`whatsapp-connection.ts`): its ids, an access token, and the app's secret. They are
 * in an event, the two secrets encrypted with the trainer's key, and in no read table, answer, log or copy. A test reads the number
 * and its templates in Portuguese (`whatsapp-checks.service.ts`). Each kind of message is switched on with an approved template that has
 * the fields of `suggestions`. Without a connection, or with a kind switched off, everything is as it was.
 *
 * A reaction puts what was prepared for a tap into an outbox (`whatsapp_outbox`), once for each prepared message, if its kind is
 * switched on: offers to who waits, reminders, receipts and warnings of credits; a job adds what follows from a day (charges on a
 * step of their ladder, and nudges: cancelled classes, used-up credits, birthdays, who comes less). Who has it by mail gets none of them. It is sent between 8:00 and
 * 20:00 in the trainer's zone, at most one a day to a student, by worth, and not to students without a number, or who want none
 * (`letters_off`, kind `whatsapp`), or who were forgotten. What is not sent is still prepared for a tap. Before a message is handed over, its row says so: where the process or the connection ends before Meta's answer is
 * recorded, it counts as perhaps sent and is never sent again. A message that was sent marks what was prepared as sent, by the
 * events of that. Limits and disturbances are tried again; a number without WhatsApp leaves the message to the trainer; a refused
 * template switches off its kind, a refused token the whole connection, until a test succeeds.
 *
 * Meta reports by a webhook (`/whatsapp/v1/{tenant}`), signed with the app's secret (HMAC of the bytes), what became of a message.
 * A report names the message by the id that was sent with it, so no id of Meta is stored, which has the student's number in it.
 * Reports of another number, of unknown messages, repeated ones, and those that are older than what is known change nothing.
 *
 * The same webhook brings what students write (`whatsapp-answer.ts`), each message once. A tap on a button of the reminder, or a whole
 * answer such as "1" or "sim", confirms the session, as the reminder's link does; "2" tells the trainer and cancels nothing; "SAIR"
 * ends the messages for good; anything else is a notification with its text. Whose a message is follows from its number, which Meta
 * gives without the nine of some Brazilian mobiles; where several students have it, from the last message to one of them.
 */
@Module(
  together(
    serve(whatsAppApi, {
      show: ShowWhatsApp,
      connect: ConnectWhatsApp,
      disconnect: DisconnectWhatsApp,
      reconnect: ReconnectWhatsApp,
      setWish: SetWhatsAppWish,
      setKind: SetWhatsAppKind,
    }),
    {
      controllers: [WhatsAppController, WhatsAppHookController],
      providers: [
        StopWhatsApp.Handler,
        ResumeWhatsApp.Handler,
        RecordWhatsApp.Handler,
        ReportWhatsApp.Handler,
        TakeWhatsAppAnswer.Handler,
        WhatsAppConnections,
        WhatsAppClient,
        WhatsAppChecks,
        WhatsAppWords,
        WhatsAppSender,
        dailyWhatsApp.Handler,
      ],
    },
  ),
)
export class WhatsappModule {
  static readonly feature: Feature = {
    aggregates: [whatsAppConnection, whatsAppMessage, whatsAppAnswer],
    projections: [connections, messages, answers],
    history: whatsAppHistory,
    ownData: {
      trainer: {
        whatsapp: `select conectado, desde, modelos, parados, parada from whatsapp_connections`,
      },
      sheets: {
        'respostas-do-whatsapp': `select w.student_id, a.nome as aluno, w.sentido, w.texto, w.em from whatsapp_answers w
          left join students a on a.tenant_id = w.tenant_id and a.id = w.student_id order by w.em, w.id`,
        'mensagens-do-whatsapp': `select m.student_id, a.nome as aluno, m.tipo, m.estado, m.em, m.motivo
          from whatsapp_messages m left join students a on a.tenant_id = m.tenant_id and a.id = m.student_id
          order by m.em, m.id`,
      },
      student: {
        'mensagens-do-whatsapp': `select tipo, estado, em, motivo from whatsapp_messages
          where student_id = $1 order by em, id`,
        'respostas-do-whatsapp': `select sentido, texto, em from whatsapp_answers where student_id = $1 order by em, id`,
      },
    },
    errors: whatsAppErrors,
    reactions: [whatsAppMessages, whatsAppChecks],
    jobs: [sendWhatsApp, sendDueWhatsApp, checkWhatsApp, dailyWhatsApp],
    purges: [
      // Meta reports for days what became of a message.
      `delete from whatsapp_outbox where done_at < now() - interval '30 days'`,
      // Rows of closed tenants.
      ...['whatsapp_outbox', 'whatsapp_checks'].map(
        (table) =>
          `delete from ${table} b where not exists (select from tenants t where t.tenant_id = b.tenant_id)`,
      ),
    ],
  };
}
