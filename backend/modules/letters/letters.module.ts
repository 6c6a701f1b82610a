import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { letterErrors } from './letters.api.js';
import { StopMails, SwitchLetters, TakeMailReport } from './letters.commands.js';
import { LetterLinksController, MailHookController, OneClickController } from './letters.controller.js';
import { LetterLinks } from './letters.queries.js';
import {
  notificationSettingsApi,
  ownNotificationSettingsApi,
  type NotificationChange,
} from './notification-settings.api.js';
import {
  type SavedSettings,
  shownSettings,
  ShowNotificationSettings,
} from './notification-settings.queries.js';

const settingsOf = defineLookUp<SavedSettings, [userId: string]>(
  `select push, email, silencio_de, silencio_ate, zona, desligados
  from notification_settings where tenant_id = $1 and user_id = $2`,
);
const tapsOf = defineLookUp<{ kind: string }, [studentId: string | null]>(
  'select kind from letters_off where tenant_id = $1 and student_id = $2',
);

const SET = `insert into notification_settings (tenant_id, user_id, push, email, silencio_de, silencio_ate, zona, desligados)
  values ($1, $2, $3, $4, $5, $6, $7, coalesce($8::text[], '{}'))
  on conflict (tenant_id, user_id) do update set push = excluded.push, email = excluded.email,
    silencio_de = excluded.silencio_de, silencio_ate = excluded.silencio_ate, zona = excluded.zona,
    desligados = coalesce($8::text[], notification_settings.desligados)`;

const FORGET_TAPS = `delete from letters_off where tenant_id = $1 and student_id = $2
  and ($3 or kind in ('lembretes', 'creditos'))`;

/** Stores a user's notification settings. Records no event, because they are no fact of the business. */
const SetNotificationSettings = defineCommand(
  'SetNotificationSettings',
  async (tx, { push, email, silencio, zona, desligados, se_ainda }: NotificationChange) => {
    const { tenantId, userId, studentId } = tx.context;
    if (se_ainda) {
      const [[saved], taps] = await Promise.all([
        tx.lookUp(settingsOf, userId),
        tx.lookUp(tapsOf, studentId),
      ]);
      refuseChanged('As notificações', shownSettings(tx.context, saved, taps), se_ainda);
    }
    const quiet = [silencio?.de ?? null, silencio?.ate ?? null];
    const values = [tenantId, userId, push, email, ...quiet, zona, desligados ?? null];
    // The settings page showed choices made by links in mails, so the new settings replace them.
    if (studentId !== null)
      tx.inTransaction((query) => query(FORGET_TAPS, [tenantId, studentId, desligados !== undefined]));
    tx.inTransaction((query) => query(SET, values));
    return { id: userId };
  },
);

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
