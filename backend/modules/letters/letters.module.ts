import { Module, Body, Controller, Param, Req } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { letterErrors, letterLinksApi, oneClickApi, mailHookApi, type LetterSwitch } from './letters.api.js';
import { StopMails, SwitchLetters, TakeMailReport } from './letters.commands.js';
import { LetterLinks, type FoundLetterLink } from './letters.queries.js';
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
import { timingSafeEqual } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/env.js';
import { contextOfLink } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { hashOf } from '../../platform/link-tokens.js';
import { readMailReport } from '../../platform/mail/mail-reports.js';

/** For the page behind the link in a mail. */
@Controller()
class LetterLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
  ) {}

  @Serves(letterLinksApi.show)
  show(@Param('token') token: string) {
    return this.links.show(token);
  }

  @Serves(letterLinksApi.change)
  async change(@Body() { token, ativo, alvo }: LetterSwitch, @Req() request: FastifyRequest) {
    const link = await this.links.find(token);
    return this.commands.execute(switchOf(link, { alvo, ativo }, request));
  }
}

/** For the unsubscribe button of mail programs (RFC 8058), which send no `Idempotency-Key` and may send it twice. */
@Controller()
class OneClickController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
  ) {}

  @Serves(oneClickApi.tap)
  async tap(@Param('token') token: string, @Req() request: FastifyRequest) {
    const link = await this.links.find(token);
    await this.commands.execute(switchOf(link, { alvo: 'tipo', ativo: false }, request));
  }
}

/** Where the mail server hands over what came back: failed deliveries and complaints. */
@Controller()
class MailHookController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
    private readonly config: Config,
  ) {}

  /** Any other mail is taken too, and changes nothing: a mailbox gets all sorts. */
  @Serves(mailHookApi.take)
  async take(@Body() raw: string, @Req() request: FastifyRequest) {
    const { mailHookSecret } = this.config;
    if (mailHookSecret === undefined) throw new Problem('not_found');
    if (!isSame(request.headers.authorization ?? '', `Bearer ${mailHookSecret}`))
      throw new Problem('unauthenticated');
    const report = await readMailReport(Buffer.from(raw, 'latin1'));
    const link = report && (await this.links.look(report.token));
    if (link) await this.commands.execute(new TakeMailReport(contextOfLink(link, request), link, report.why));
  }
}

const isSame = (given: string, wanted: string): boolean => timingSafeEqual(hashOf(given), hashOf(wanted));

/** A mail without a kind of its own stands for all of its trainer. */
function switchOf(
  link: FoundLetterLink,
  { alvo, ativo }: Omit<LetterSwitch, 'token'>,
  request: FastifyRequest,
) {
  const context = contextOfLink(link, request);
  if (alvo === 'tipo' && link.kind !== null) return new SwitchLetters(context, link.kind, ativo);
  return new StopMails(context, link, ativo);
}

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
  and kind <> 'whatsapp' and ($3 or kind in ('lembretes', 'creditos'))`;

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
