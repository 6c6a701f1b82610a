import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { serve, together } from '../../platform/http/serve.js';
import { Confirmations } from './confirmations.queries.js';
import { reminder } from './reminder.js';
import { ReminderMails, reminderMail } from './reminder-mails.service.js';
import { remindersApi, reminderErrors } from './reminders.api.js';
import { MarkReminderSent, MarkReminderUnsent, PrepareReminders } from './reminders.commands.js';
import { ConfirmPageController } from './reminders.controller.js';
import { reminderTokens } from './reminders.guard.js';
import { reminderHistory } from './reminders.history.js';
import { prepareReminders, RemindersJob } from './reminders.job.js';
import { reminders } from './reminders.projection.js';
import { ListReminders, CountRemindersWaiting } from './reminders.queries.js';

/**
 * Reminders (`reminders`) of the next day's sessions are prepared by a job from 18:00 in the tenant's zone on. One database
 * function (`reminders_due`) finds them for all tenants, and one command each decides again. A reminder's id follows from
 * session, student and start: it is prepared once, and again for a session that was moved. A reaction sends the mail; the sheet
 * "Lembretes" offers it for WhatsApp. Its link opens a page (`confirm-page.html.ts`) on which a button confirms, because
 * messengers open links by themselves. Who cannot come writes to the trainer: a message changes nothing either.
 */
@Module(
  together(
    serve(remindersApi, {
      list: ListReminders,
      waiting: CountRemindersWaiting,
      sent: MarkReminderSent,
      unsent: MarkReminderUnsent,
    }),
    {
      controllers: [ConfirmPageController],
      providers: [PrepareReminders.Handler, Confirmations, ReminderMails, RemindersJob],
    },
  ),
)
export class RemindersModule {
  static readonly feature: Feature = {
    aggregates: [reminder],
    guards: [reminderTokens],
    projections: [reminders],
    history: reminderHistory,
    ownData: {
      trainer: {
        lembretes: `select r.id, r.session_id, r.student_id, a.nome as aluno, r.inicio, r.por_email, r.preparado_em, r.enviado_em,
        r.confirmado_em
      from reminders r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id order by r.inicio, r.id`,
      },
      student: {
        lembretes: `select id, session_id, inicio, por_email, enviado_em, confirmado_em from reminders where student_id = $1
      order by inicio, id`,
      },
    },
    errors: reminderErrors,
    failures: [pageFailures('/confirmar', () => DEAD_LINK)],
    reactions: [reminderMail],
    jobs: [prepareReminders],
  };
}
