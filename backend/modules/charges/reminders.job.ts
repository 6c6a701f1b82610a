import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone, eachTenantByDay } from '../../platform/jobs/each-alone.js';
import { dateOf } from '../../platform/local-time.js';
import type { Letter } from '../../platform/mail/letter.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import type { WantedMail } from '../../platform/mail/mail-limits.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { brl, firstName, shortDate } from '../../platform/portuguese.js';
import type { SwitchedOff } from '../letters/letters.api.js';
import { letterSwitchedOffBy } from '../letters/notification-settings.queries.js';
import { type OpenOfPayer, openOfPayer, studentsIn, sumOf } from './bills.queries.js';
import { owedInWords, owedOn } from './charge-terms.api.js';
import { byId, shown, toPayer } from './charges.queries.js';
import { PaymentLinks } from './payment-links.service.js';
import { dueReminders } from './receivables.queries.js';
import { remind } from './reminders.commands.js';

const KIND = 'charges.reminder';
const FOOTNOTE = 'Já pagou? Abra a página e toque em “Já paguei”.';
const TENANTS = 'select tenant_id, timezone from tenants_with_reminders_due($1)';

/**
 * Reminds those who pay of the charges of students by mail. Event and mail are written in one transaction, so a worker may stop
 * anywhere.
 */
export const chargeReminders = defineSchedule(
  'charge-reminders',
  900_000,
  { database: Database, commands: CommandBus },
  (now, { database, commands }) =>
    eachTenantByDay(database, now, { select: TENANTS, values: [now] }, async (tenantId, zone) => {
      const due = await database.read(
        tenantId,
        dueReminders({ today: dateOf(now, zone), zone, byMail: true }),
      );
      const idsOf = ({ id }: { id: string }) => ({ tenantId, chargeId: id });
      await eachAlone(due, idsOf, ({ id, pagador_id, email }) =>
        commands.execute(new SendReminder(nobodyOf(tenantId, zone), id, pagador_id, email!)),
      );
    }),
);

export const SendReminder = defineCommand(
  'SendReminder',
  { outbox: Outbox, addresses: MailAddresses },
  async (tx, { outbox, addresses }, id: string, personId: string, email: string) => {
    const about = { personId, addressHash: addresses.hashOf(email) };
    // The trainer has it in the list of reminders to send by WhatsApp all the same.
    const wanted: WantedMail = { ...about, cause: 'trainer', thing: `charge/${id}` };
    if (await remind(tx, id, 'email', wanted)) {
      const { tenantId } = tx.context;
      const mail = { id: randomUUID(), kind: KIND, tenantId, subjectId: id, ...about };
      tx.inTransaction((query) => outbox.put(query, mail));
      tx.afterCommit(() => outbox.wake(mail.id));
    }
    return { id };
  },
);

@Injectable()
export class ReminderMails implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly links: PaymentLinks,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail), 'vencimentos' satisfies SwitchedOff);
  }

  /** Null if the charge was paid or cancelled meanwhile, or who pays has no address any more or has switched such mails off. */
  private async compose({ tenantId, personId, subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, byId({ id: subjectId }));
    if (!row?.email || row.pagador_nome === null || row.status !== 'aberta') return null;
    const { pagador_id } = row;
    // Somebody else pays since.
    if (pagador_id !== personId) return null;
    const [to] = await this.database.read(tenantId!, recipient({ pagador_id }));
    if (!to || to.is_switched_off) return null;
    const today = dateOf(this.clock.now(), to.timezone);
    if (to.conta && to.link_id)
      return this.composeBill(row.email, row.pagador_nome, to.conta, to.link_id, today);
    const { hello, of } = toPayer(row);
    const { falta, hoje, descricao, vencimento } = shown(row, today);
    return {
      to: row.email,
      subject: `Lembrete de pagamento: ${brl(hoje.total)}`,
      paragraphs: [
        hello,
        `A cobrança${of} de ${brl(falta)}${descricao ? ` (${descricao})` : ''}, com vencimento em ${shortDate(vencimento)}, está em aberto.${owedInWords(falta, hoje)}`,
      ],
      button: { label: 'Ver e pagar', url: this.links.urlOf(row.link_id) },
      footnote: FOOTNOTE,
    };
  }

  private composeBill(
    to: string,
    nome: string,
    open: readonly OpenOfPayer[],
    linkId: string,
    today: string,
  ): Letter {
    return {
      to,
      subject: `Lembrete de pagamento: ${brl(sumOf(open, today))}`,
      paragraphs: [
        `Oi, ${firstName(nome)}!`,
        `A conta de ${studentsIn(open)} está em aberto:`,
        ...open.map(({ aluno, descricao, aberto }) => {
          const what = [firstName(aluno), descricao].filter(Boolean).join(' · ');
          return `${what}: ${brl(owedOn(aberto, today).total)}, com vencimento em ${shortDate(aberto.vencimento)}`;
        }),
      ],
      button: { label: 'Ver e pagar tudo', url: this.links.urlOf(linkId) },
      footnote: FOOTNOTE,
    };
  }
}

/** The trainer's zone, whether who pays has switched such mails off, and what they owe in all where they pay for others. */
const recipient = statement((db, { pagador_id }: Blanks<{ pagador_id: string }>) =>
  db
    .selectFrom('tenants as t')
    .leftJoin('payers as y', (join) =>
      join.onRef('y.tenant_id', '=', 't.tenant_id').on('y.id', '=', pagador_id),
    )
    .select(['t.timezone', 'y.link_id', openOfPayer(sql`y.id`).as('conta')])
    .select(letterSwitchedOffBy(sql`${pagador_id}::uuid`, 't', 'vencimentos').as('is_switched_off'))
    .compile(),
);
