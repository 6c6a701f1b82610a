import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { ShowConfirmationHandler } from './confirmations.queries.js';
import { reminder } from './reminder.js';
import { ReminderMails, reminderMail } from './reminder-mails.service.js';
import { reminderErrors } from './reminders.api.js';
import {
  ConfirmOwnSession,
  ConfirmPresence,
  MarkReminderSent,
  MarkReminderUnsent,
  PrepareReminders,
} from './reminders.commands.js';
import {
  ConfirmationsController,
  OwnConfirmationsController,
  RemindersController,
} from './reminders.controller.js';
import { reminderTokens } from './reminders.guard.js';
import { reminderHistory } from './reminders.history.js';
import { prepareReminders, RemindersJob } from './reminders.job.js';
import { reminders } from './reminders.projection.js';
import { CountRemindersWaiting, ListReminders } from './reminders.queries.js';

@Module({
  controllers: [RemindersController, OwnConfirmationsController, ConfirmationsController],
  providers: [
    PrepareReminders.Handler,
    MarkReminderSent.Handler,
    MarkReminderUnsent.Handler,
    ConfirmPresence.Handler,
    ConfirmOwnSession.Handler,
    ListReminders.Handler,
    CountRemindersWaiting.Handler,
    ShowConfirmationHandler,
    ReminderMails,
    RemindersJob,
  ],
})
export class RemindersModule {
  static readonly feature: Feature = {
    aggregates: [reminder],
    guards: [reminderTokens],
    projections: [reminders],
    history: reminderHistory,
    errors: reminderErrors,
    reactions: [reminderMail],
    jobs: [prepareReminders],
  };
}
