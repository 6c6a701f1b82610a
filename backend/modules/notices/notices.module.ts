import { Module, Controller, Req, Body } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Feature } from '../../platform/features.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { Database } from '../../platform/database/database.js';
import { NotificationMails } from './notification-mails.service.js';
import { pushApi, type PushRemoval, type PushSubscriptionBody } from './push.api.js';
import { PushKeys } from './push-keys.service.js';
import { PushSubscriptions } from './push-subscriptions.service.js';
import {
  notificationErrors,
  notificationsApi,
  ownNotificationsApi,
  accountNotificationsApi,
  type UnreadOfAccount,
  type ReadAll,
} from './notifications.api.js';
import { unreadOf, CountUnread, ListNotifications } from './notifications.queries.js';
import { Notifications, notify, hintTo } from './notifications.service.js';
import { sendDuePushes, sendPush, PushSender } from './push-sender.service.js';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';

/** Notifications of the trainer, or of the student `$2`, also from before they were merged. */
const OWN = `para = case when $2::uuid is null then 'personal' else 'aluno' end and ($2 is null or student_id in (select same_student($2)))`;

const ownOne = defineLookUp<{ id: string }, [studentId: string | null, id: string]>(
  `select id from notifications where tenant_id = $1 and ${OWN} and id = $3`,
);
const READ_ONE = `update notifications set lida_em = now()
  where tenant_id = $1 and ${OWN} and id = $3 and lida_em is null`;
const READ_ALL = `update notifications set lida_em = now()
  where tenant_id = $1 and ${OWN} and em <= $3 and lida_em is null`;

// These record no event, because what somebody has read is no fact of the business.

/** Marks all notifications up to an instant as read. */
const ReadNotifications = defineCommand(
  'ReadNotifications',
  { hints: HintBus },
  (tx, { hints }, { ate }: ReadAll) => {
    const { tenantId, studentId } = tx.context;
    tx.inTransaction((query) => query(READ_ALL, [tenantId, studentId, ate]));
    hintReader(tx, hints);
    return { id: studentId ?? tenantId };
  },
);

/** @throws Problem 404 for a notification of somebody else's */
const ReadNotification = defineCommand(
  'ReadNotification',
  { hints: HintBus },
  async (tx, { hints }, id: string) => {
    const { tenantId, studentId } = tx.context;
    const [known] = await tx.lookUp(ownOne, studentId, id);
    if (!known) throw new Problem('notifications.not_found');
    tx.inTransaction((query) => query(READ_ONE, [tenantId, studentId, id]));
    hintReader(tx, hints);
    return { id };
  },
);

function hintReader(tx: CommandTransaction, hints: HintBus): void {
  const { tenantId, studentId } = tx.context;
  const reader =
    studentId === null
      ? ({ para: 'personal', student_id: tenantId } as const)
      : ({ para: 'aluno', student_id: studentId } as const);
  tx.afterCommit(() => hints.projected([hintTo(reader, tenantId)]));
}

/** The browsers to which a user's notifications are pushed. */
@Controller()
class PushController {
  constructor(
    private readonly keys: PushKeys,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  @Serves(pushApi.key)
  async key() {
    return { chave: (await this.keys.pair()).publicKey };
  }

  @Serves(pushApi.keep)
  async keep(@Body() subscription: PushSubscriptionBody, @Req() request: FastifyRequest) {
    const { userId, sessionId } = request.caller!;
    return { answer: { id: await this.subscriptions.keep(userId, sessionId, subscription) }, position: 0 };
  }

  @Serves(pushApi.remove)
  async remove(@Body() { endpoint }: PushRemoval, @Req() request: FastifyRequest) {
    const { userId } = request.caller!;
    await this.subscriptions.remove(userId, endpoint);
    return { answer: { id: userId }, position: 0 };
  }
}

/** Of all that the signed-in user is, each read in its own tenant. */
@Controller()
class AccountNotificationsController {
  constructor(private readonly database: Database) {}

  @Serves(accountNotificationsApi.unread)
  async unread(@Req() request: FastifyRequest): Promise<UnreadOfAccount> {
    const items = request.caller!.memberships.map(async ({ tenantId, studentId }) => {
      const [counted] = await this.database.read(tenantId, unreadOf(studentId));
      return { tenant_id: tenantId, student_id: studentId, ...counted! };
    });
    return { items: await Promise.all(items) };
  }
}

/** The same for trainers and students. */
const inbox = {
  list: ListNotifications,
  unread: CountUnread,
  readTill: ReadNotifications,
  readOne: ReadNotification,
};

/**
 * Notifications for trainers and students: in a list, pushed to their devices, and by mail.
 *
 * Notifications (`notices`) tell trainer and student what the other did. A reaction writes them in the transaction of its
 * checkpoint; several actions of one command for one student are one notification. A pure function maps events to notifications
 * (`notice.ts`). A row contains ids, times and amounts; its text is generated when it is read (`notice.words.ts`). They are
 * deleted with their person, when the action is undone before they are read, and after 90 days. The answer to a question marks
 * it as read, until the answer is undone. Read marks and preferences are not events. Mails without a notification (due
 * charges, contracts to sign) go to each student with an address, unless switched off (`desligados`); the trainer then sends
 * them by hand. Codes, and what the trainer sends, cannot be switched off. Each kind of mail is named where it is defined
 * (`Outbox.define`). Every mail to a student or visitor contains a link that never expires and also works without an account:
 * it ends that kind (`letters_off`), or all mails of the trainer to the address (`mail_stops`, by a keyed hash of the
 * address). The link is a signed token (`mail-addresses.ts`), so nothing of it is stored.
 *
 * Pushes (`push_deliveries`, one per browser) and mails accompany a notification as its reader has chosen. A push is claimed and
 * recorded as a mail is; one that the push service certainly did not accept is retried, for a day. It is encrypted for the
 * browser (`web-push`), sent to public addresses only (`platform/outgoing`), waits for the end of quiet hours, and contains only
 * what a locked screen may show. A browser receives pushes while the session lasts that subscribed it; one that its service no
 * longer knows is removed. The key pair for push services is encrypted in `vapid_key`.
 */
@Module(
  together(serve(notificationsApi, inbox), serve(ownNotificationsApi, inbox), {
    controllers: [AccountNotificationsController, PushController],
    providers: [Notifications, NotificationMails, PushKeys, PushSubscriptions, PushSender],
  }),
)
export class NoticesModule {
  static readonly feature: Feature = {
    ownData: {
      trainer: {
        notificacoes: `select id, tipo, student_id, subject_id, quantidade, inicio, antes, valor, dia, em, lida_em from notifications
          where para = 'personal' order by em, id`,
      },
      student: {
        notificacoes: `select id, tipo, subject_id, quantidade, inicio, antes, valor, dia, em, lida_em from notifications
          where para = 'aluno' and student_id = $1 order by em, id`,
      },
    },
    errors: notificationErrors,
    reactions: [notify],
    jobs: [sendPush, sendDuePushes],
    // No auth session lasts longer than 31 days, and each one updates `seen_at` of its browser.
    purges: [
      `delete from notifications where em < now() - interval '90 days'`,
      `delete from auth.push_subscriptions where seen_at < now() - interval '31 days'`,
    ],
  };
}
