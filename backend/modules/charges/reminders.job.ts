import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone, eachTenantByDay } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { dateOf } from '../../platform/local-time.js';
import type { Letter } from '../../platform/mail/letter.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import type { WantedMail } from '../../platform/mail/mail-limits.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { SwitchedOff } from '../letters/letters.api.js';
import { letterSwitchedOff } from '../letters/notification-settings.queries.js';
import { owedInWords } from './charge-terms.api.js';
import { byId, shown } from './charges.queries.js';
import { PaymentLinks } from './payment-links.service.js';
import { dueReminders } from './receivables.queries.js';
import { remind } from './reminders.commands.js';

const KIND = 'charges.reminder';
const TENANTS = 'select tenant_id, timezone from tenants_with_reminders_due($1)';

/** Reminds students of their charges by mail. */
export const chargeReminders = defineJob({ name: 'charge-reminders', schedule: { everyMs: 900_000 } });

class SendReminder {
  constructor(readonly context: CommandContext) {}
}

@Injectable()
export class ReminderJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly queues: Queues,
    private readonly outbox: Outbox,
    private readonly links: PaymentLinks,
    private readonly addresses: MailAddresses,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail), 'vencimentos' satisfies SwitchedOff);
    this.queues.handle(chargeReminders, () => this.run());
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await eachTenantByDay(this.database, now, { select: TENANTS, values: [now] }, (tenantId, timezone) =>
      this.remindAll(tenantId, timezone),
    );
  }

  /** Event and mail are written in one transaction, so a worker may stop anywhere. */
  private async remindAll(tenantId: string, timezone: string): Promise<void> {
    const today = dateOf(this.clock.now(), timezone);
    const due = await this.database.read(tenantId, dueReminders({ today, zone: timezone, byMail: true }));
    const idsOf = ({ id }: { id: string }) => ({ tenantId, chargeId: id });
    await eachAlone(due, idsOf, async ({ id: chargeId, student_id: personId, email }) => {
      const about = { personId, addressHash: this.addresses.hashOf(email!) };
      const mail = { id: randomUUID(), kind: KIND, tenantId, subjectId: chargeId, ...about };
      const command = new SendReminder(nobodyOf(tenantId, timezone, randomUUID()));
      await this.store.transact(command, async (tx) => {
        // The trainer has it in the list of reminders to send by WhatsApp all the same.
        const wanted: WantedMail = { ...about, cause: 'trainer', thing: `charge/${chargeId}` };
        if (await remind(tx, chargeId, 'email', wanted)) {
          tx.inTransaction((query) => this.outbox.put(query, mail));
          tx.afterCommit(() => this.outbox.wake(mail.id));
        }
        return { id: chargeId };
      });
    });
  }

  /** Null if the charge was paid or cancelled meanwhile, or the student has no address any more or has switched such mails off. */
  private async compose({ tenantId, subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, byId({ id: subjectId }));
    if (!row?.email || row.student_nome === null || row.status !== 'aberta') return null;
    const { student_id } = row;
    const [to] = await this.database.read(tenantId!, recipient({ student_id }));
    if (!to || to.is_switched_off) return null;
    const { falta, hoje, descricao, vencimento } = shown(row, dateOf(this.clock.now(), to.timezone));
    return {
      to: row.email,
      subject: `Lembrete de pagamento: ${brl(hoje.total)}`,
      paragraphs: [
        `Oi, ${row.student_nome.split(' ')[0]}!`,
        `A cobrança de ${brl(falta)}${descricao ? ` (${descricao})` : ''}, com vencimento em ${shortDate(vencimento)}, está em aberto.${owedInWords(falta, hoje)}`,
      ],
      button: { label: 'Ver e pagar', url: this.links.urlOf(row.link_id) },
      footnote: 'Já pagou? Abra a página e toque em “Já paguei”.',
    };
  }
}

/** The student's zone, and whether they have switched such mails off. */
const recipient = statement((db, { student_id }: Blanks<{ student_id: string }>) =>
  db
    .selectFrom('students as s')
    .innerJoin('tenants as t', 't.tenant_id', 's.tenant_id')
    .select(['t.timezone', letterSwitchedOff('s.id', 'vencimentos').as('is_switched_off')])
    .where('s.id', '=', student_id)
    .compile(),
);
