import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { notificationErrors } from './notifications.api.js';
import { ReadNotificationsHandler } from './notifications.commands.js';
import { NotificationsController, OwnNotificationsController } from './notifications.controller.js';
import { CountUnreadHandler, ListNotificationsHandler } from './notifications.queries.js';
import { Notifications, notify } from './notifications.service.js';

/** What happened that trainer or student is to know. */
@Module({
  controllers: [NotificationsController, OwnNotificationsController],
  providers: [Notifications, ListNotificationsHandler, CountUnreadHandler, ReadNotificationsHandler],
})
export class NotificationsModule {
  static readonly feature: Feature = {
    errors: notificationErrors,
    reactions: [notify],
    purges: [`delete from notifications where em < now() - interval '90 days'`],
  };
}
