import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import type { Letter } from '../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { dayAndTime } from '../../platform/portuguese.js';
import { defineReaction } from '../../platform/reactions/define-reaction.js';
import { Reactions } from '../../platform/reactions/reactions.js';
import type { ReminderEvent } from './reminder.js';
import type { SwitchedOff } from '../letters/letters.api.js';
import { mailSwitchedOff } from '../letters/notification-settings.queries.js';
import { confirmationUrl } from './reminders.queries.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

const KIND = 'reminders.session';

/** Mails a reminder, if the student has an e-mail address. */
export const reminderMail = defineReaction({
  name: 'reminder-mail',
  events: ['ReminderPrepared'] satisfies ReminderEvent['type'][],
});

const told = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('reminders as r')
    .innerJoin('sessions as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'r.tenant_id')
        .onRef('s.id', '=', 'r.session_id')
        .onRef('s.inicio', '=', 'r.inicio'),
    )
    .innerJoin('students as st', (join) => sameTenant(join, 'st.id', 'r.student_id'))
    .innerJoin('tenants as t', 't.tenant_id', 'r.tenant_id')
    .leftJoin('locations as l', (join) => sameTenant(join, 'l.id', 's.location_id'))
    .select(['st.nome', 'st.email', 's.inicio', 'l.nome as local', 't.timezone', 'r.confirmado_em'])
    .select(trainersName.as('personal'))
    .where('r.id', '=', id)
    .where('s.status', '=', 'agendada')
    .where(sql<boolean>`not s.deleted`)
    .compile(),
);

@Injectable()
export class ReminderMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly tokens: LinkTokens,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail), 'lembretes' satisfies SwitchedOff);
    this.reactions.handle(reminderMail, async (occasion) => {
      const { por_email, reminder_id, student_id } = occasion.event.data;
      if (por_email !== true) return undefined;
      const mail = { personId: student_id as string, subjectId: reminder_id as string };
      return this.outbox.react(occasion, { kind: KIND, ...mail });
    });
  }

  /**
   * Null if the session has begun or changed, or the student has no address or has switched off these mails. Contains the full
   * date instead of "amanhã", so that the text is the same at every attempt.
   */
  private async compose({ tenantId, personId, subjectId: reminderId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, told({ id: reminderId }));
    if (!row?.nome || !row.email || !row.personal || row.inicio <= this.clock.now()) return null;
    const off = { student_id: personId!, group: 'lembretes' } as const;
    if ((await this.database.read(tenantId!, mailSwitchedOff(off))).length > 0) return null;
    const when = dayAndTime(row.inicio, row.timezone);
    const where = row.local === null ? '' : `, em ${row.local}`;
    return {
      to: row.email,
      subject: `Lembrete: sua aula com ${row.personal}`,
      paragraphs: [`Oi, ${row.nome.split(' ')[0]}!`, `Sua aula com ${row.personal} é ${when}${where}.`],
      button: { label: 'Confirmar presença', url: confirmationUrl(this.config, this.tokens, reminderId) },
      footnote: 'Não vai poder ir? Fale com o seu personal.',
    };
  }
}
