import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { notificationSettingsApi, ownNotificationSettingsApi } from './notification-settings.api.js';
import { letterErrors } from './letters.api.js';
import { StopMails, SwitchLetters, TakeMailReport } from './letters.commands.js';
import { LetterLinksController, MailHookController, OneClickController } from './letters.controller.js';
import { LetterLinks, ShowLetterLinkHandler } from './letters.queries.js';
import { NotificationMails } from './notification-mails.service.js';
import { SetNotificationSettings } from './notification-settings.commands.js';
import { PushController } from './notification-settings.controller.js';
import { ShowNotificationSettings } from './notification-settings.queries.js';
import { notificationErrors } from './notifications.api.js';
import { ReadNotificationsHandler } from './notifications.commands.js';
import { NotificationsController, OwnNotificationsController } from './notifications.controller.js';
import { CountUnread, ListNotifications } from './notifications.queries.js';
import { Notifications, notify } from './notifications.service.js';
import { sendDuePushes, sendPush } from './push.job.js';
import { PushKeys } from './push-keys.service.js';
import { PushSender } from './push-sender.service.js';
import { PushSubscriptions } from './push-subscriptions.service.js';

/** Notifications for trainers and students: in a list, pushed to their devices, and by mail. */
@Module(
  together(
    serve(notificationSettingsApi, { show: ShowNotificationSettings, change: SetNotificationSettings }),
    serve(ownNotificationSettingsApi, { show: ShowNotificationSettings, change: SetNotificationSettings }),
    {
      controllers: [
        NotificationsController,
        OwnNotificationsController,
        PushController,
        LetterLinksController,
        OneClickController,
        MailHookController,
      ],
      providers: [
        Notifications,
        ListNotifications.Handler,
        CountUnread.Handler,
        ReadNotificationsHandler,
        NotificationMails,
        SwitchLetters.Handler,
        StopMails.Handler,
        TakeMailReport.Handler,
        LetterLinks,
        ShowLetterLinkHandler,
        PushKeys,
        PushSubscriptions,
        PushSender,
      ],
    },
  ),
)
export class NotificationsModule {
  static readonly feature: Feature = {
    errors: { ...notificationErrors, ...letterErrors },
    reactions: [notify],
    jobs: [sendPush, sendDuePushes],
    // No auth session lasts longer than 31 days, and each one updates `seen_at` of its browser.
    purges: [
      `delete from notifications where em < now() - interval '90 days'`,
      `delete from auth.push_subscriptions where seen_at < now() - interval '31 days'`,
      'delete from letter_links where expires_at < now()',
    ],
  };
}
