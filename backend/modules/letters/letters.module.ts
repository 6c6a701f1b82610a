import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { letterErrors } from './letters.api.js';
import { StopMails, SwitchLetters, TakeMailReport } from './letters.commands.js';
import { LetterLinksController, MailHookController, OneClickController } from './letters.controller.js';
import { LetterLinks } from './letters.queries.js';
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
      providers: [SwitchLetters.Handler, StopMails.Handler, TakeMailReport.Handler, LetterLinks],
    },
  ),
)
export class LettersModule {
  static readonly feature: Feature = {
    ownData: {
      trainer: {
        'escolhas-de-notificacoes': `select c.push, c.email, c.silencio_de, c.silencio_ate, c.zona from notification_settings c
      join memberships m on m.tenant_id = c.tenant_id and m.user_id = c.user_id where m.role = 'personal'`,
        'emails-desligados': `select student_id, kind as tipo from letters_off order by student_id, kind`,
        'emails-recentes': `select person_id as student_id, at as em, withheld as nao_enviado from mail_ledger
      where person_id is not null order by at, person_id`,
      },
      student: {
        'escolhas-de-notificacoes': `select c.push, c.email, c.desligados, c.silencio_de, c.silencio_ate, c.zona from notification_settings c
      join memberships m on m.tenant_id = c.tenant_id and m.user_id = c.user_id where m.student_id = $1`,
        'emails-desligados': `select kind as tipo from letters_off where student_id = $1 order by kind`,
        'emails-recentes': `select at as em, withheld as nao_enviado from mail_ledger where person_id = $1 order by at`,
      },
    },
    errors: letterErrors,
    purges: ['delete from letter_links where expires_at < now()'],
  };
}
