import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { Letter } from '../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { defineReaction } from '../../platform/reactions/define-reaction.js';
import { Reactions } from '../../platform/reactions/reactions.js';
import type { ExpiryWarningEvent } from './expiry-warning.js';
import type { SwitchedOff } from '../letters/letters.api.js';
import { mailSwitchedOff } from '../letters/notification-settings.queries.js';
import { endOf, toldByMail } from './expiry-warnings.queries.js';

const KIND = 'credits.expiry';

/** Mails a warning, if the student has an e-mail address. */
export const expiryWarningMail = defineReaction({
  name: 'expiry-warning-mail',
  events: ['ExpiryWarningPrepared'] satisfies ExpiryWarningEvent['type'][],
});

@Injectable()
export class ExpiryWarningMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail), 'creditos' satisfies SwitchedOff);
    this.reactions.handle(expiryWarningMail, async (occasion) => {
      const { por_email, warning_id, student_id } = occasion.event.data;
      if (por_email !== true) return undefined;
      const mail = { personId: student_id as string, subjectId: warning_id as string };
      return this.outbox.react(occasion, { kind: KIND, ...mail });
    });
  }

  /** Null if the credits were meanwhile used or extended, or the student has no address or has switched off these mails. */
  private async compose({ tenantId, personId, subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, toldByMail({ id: subjectId, now: this.clock.now() }));
    if (!row?.nome || !row.email || !row.personal) return null;
    const off = { student_id: personId!, group: 'creditos' } as const;
    if ((await this.database.read(tenantId!, mailSwitchedOff(off))).length > 0) return null;
    return {
      to: row.email,
      subject: `Créditos perto do vencimento: aulas com ${row.personal}`,
      paragraphs: [`Oi, ${row.nome.split(' ')[0]}!`, endOf(row)],
      footnote: `Para agendar suas aulas, fale com ${row.personal}.`,
    };
  }
}
