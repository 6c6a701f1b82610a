import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { letterErrors } from './letters.api.js';
import { StopMails, SwitchLetters, TakeMailReport } from './letters.commands.js';
import { LetterLinksController, MailHookController, OneClickController } from './letters.controller.js';
import { lettersOwnData } from './letters.own-data.js';
import { LetterLinks, ShowLetterLinkHandler } from './letters.queries.js';
import { notificationSettingsApi, ownNotificationSettingsApi } from './notification-settings.api.js';
import { SetNotificationSettings } from './notification-settings.commands.js';
import { ShowNotificationSettings } from './notification-settings.queries.js';

/** What trainers and students want to be told, and how: their settings, the links in mails, and mails that came back. */
@Module(
  together(
    serve(notificationSettingsApi, { show: ShowNotificationSettings, change: SetNotificationSettings }),
    serve(ownNotificationSettingsApi, { show: ShowNotificationSettings, change: SetNotificationSettings }),
    {
      controllers: [LetterLinksController, OneClickController, MailHookController],
      providers: [
        SwitchLetters.Handler,
        StopMails.Handler,
        TakeMailReport.Handler,
        LetterLinks,
        ShowLetterLinkHandler,
      ],
    },
  ),
)
export class LettersModule {
  static readonly feature: Feature = {
    ownData: lettersOwnData,
    errors: letterErrors,
    purges: ['delete from letter_links where expires_at < now()'],
  };
}
