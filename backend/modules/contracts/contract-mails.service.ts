import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { dateOf } from '../../platform/local-time.js';
import type { Letter } from '../../platform/mail/letter.js';
import { ALL_MAILS, CODES, type Mail, Outbox } from '../../platform/mail/outbox.js';
import { firstName, shortDate } from '../../platform/portuguese.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import type { SwitchedOff } from '../letters/letters.api.js';
import { letterSwitchedOff } from '../letters/notification-settings.queries.js';
import { ContractLinks } from './contract-links.service.js';
import { CODE_MINUTES } from './contracts.api.js';
import type { SignatureRequestEvent } from './signature-request.js';
import { titleSent } from './signature-requests.queries.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

const KIND = 'contracts.to-sign';
const REMINDER_KIND = 'contracts.reminder';
/** The kind of automatic reminders, which students may switch off. */
const OWN_REMINDER_KIND = 'contracts.own-reminder';
const CODE_KIND = 'contracts.code';

/** Mails a contract's link to its student, if the trainer requested that. */
export const contractMail = defineReaction({
  name: 'contract-mail',
  events: ['ContractSent', 'ContractReminded'] satisfies SignatureRequestEvent['type'][],
});

/** Mails the code that confirms the signer's e-mail address. */
export const contractCodeMail = defineReaction({
  name: 'contract-code-mail',
  events: ['ContractCodeSent'] satisfies SignatureRequestEvent['type'][],
});

const toSign = statement((db, { id, now }: Blanks<{ id: string; now: Date }>) =>
  db
    .selectFrom('signature_requests as r')
    .innerJoin('contracts as c', (join) => sameTenant(join, 'c.id', 'r.contract_id'))
    .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .innerJoin('tenants as t', 't.tenant_id', 'r.tenant_id')
    .select(['s.nome', 's.email', titleSent('r').as('titulo')])
    .select(['r.codigo_numero', 'r.codigo_email', 'r.codigo_expira_em'])
    .select(['r.expires_at', 't.timezone', letterSwitchedOff('s.id', 'assinaturas').as('sem_lembretes')])
    .select(trainersName.as('personal'))
    .where('r.id', '=', id)
    .where('r.status', 'in', ['sent', 'opened'])
    .where('r.expires_at', '>', now)
    .where('c.is_active', '=', sql<boolean>`true`)
    .compile(),
);

@Injectable()
export class ContractMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly links: ContractLinks,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail), ALL_MAILS);
    this.outbox.define(REMINDER_KIND, (mail) => this.composeReminder(mail), ALL_MAILS);
    this.outbox.define(
      OWN_REMINDER_KIND,
      (mail) => this.composeReminder(mail, { byItself: true }),
      'assinaturas' satisfies SwitchedOff,
    );
    this.outbox.define(CODE_KIND, (mail) => this.composeCode(mail), CODES);
    this.reactions.handle(contractCodeMail, async (occasion) => {
      const { student_id, request_id } = occasion.event.data;
      const mail = { personId: student_id as string, subjectId: request_id as string };
      return this.outbox.react(occasion, { kind: CODE_KIND, ...mail });
    });
    this.reactions.handle(contractMail, async (occasion) => {
      const { type, data } = occasion.event;
      if (data.canal !== 'email') return undefined;
      const reminderKind = data.automatico === true ? OWN_REMINDER_KIND : REMINDER_KIND;
      const kind = type === 'ContractReminded' ? reminderKind : KIND;
      const mail = { personId: data.student_id as string, subjectId: data.request_id as string };
      return this.outbox.react(occasion, { kind, ...mail });
    });
  }

  /** Null where it can no longer be signed, or the student has no address. */
  private async compose({ tenantId, subjectId: id }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, toSign({ id, now: this.clock.now() }));
    if (!row?.email || !row.nome) return null;
    return {
      to: row.email,
      subject: `${row.personal ?? 'Seu personal'} enviou um contrato para você assinar`,
      paragraphs: [
        `Oi, ${firstName(row.nome)}!`,
        `${row.personal ?? 'Seu personal'} enviou “${row.titulo ?? 'um contrato'}” para você ler e assinar pelo celular, sem precisar de conta.`,
      ],
      button: { label: 'Ler e assinar', url: this.links.urlOf(id) },
      footnote: 'O link é só seu: não o encaminhe a outras pessoas.',
    };
  }

  /**
   * Null once it was signed or declined, or can no longer be signed; for an automatic reminder also where the student switched
   * these off.
   */
  private async composeReminder(
    { tenantId, subjectId: id }: Mail,
    { byItself = false } = {},
  ): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, toSign({ id, now: this.clock.now() }));
    if (!row?.email || !row.nome || (byItself && row.sem_lembretes)) return null;
    const until = shortDate(dateOf(row.expires_at, row.timezone));
    return {
      to: row.email,
      subject: `Lembrete: contrato para assinar até ${until}`,
      paragraphs: [
        `Oi, ${firstName(row.nome)}!`,
        `“${row.titulo ?? 'O contrato'}”, de ${row.personal ?? 'seu personal'}, ainda espera a sua assinatura. O link expira em ${until}.`,
      ],
      button: { label: 'Ler e assinar', url: this.links.urlOf(id) },
      footnote: 'O link é só seu: não o encaminhe a outras pessoas.',
    };
  }

  /** Only the last code: earlier ones are no longer valid. */
  private async composeCode({ tenantId, subjectId: id }: Mail): Promise<Letter | null> {
    const now = this.clock.now();
    const [row] = await this.database.read(tenantId!, toSign({ id, now }));
    if (!row?.codigo_email || !row.codigo_numero || row.codigo_expira_em! <= now) return null;
    const code = this.links.mailedCodeOf(id, row.codigo_numero);
    return {
      to: row.codigo_email,
      subject: 'Código para assinar o contrato',
      paragraphs: [
        `Digite este código para assinar “${row.titulo ?? 'o contrato'}”. Ele tem validade de ${CODE_MINUTES} minutos.`,
      ],
      code,
      footnote:
        'Não passe este código a ninguém. Se você não está assinando um contrato, ignore este e-mail.',
    };
  }
}
