import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { Letter } from '../../platform/mail/letter.js';
import { ALL_MAILS, type Mail, Outbox } from '../../platform/mail/outbox.js';
import type { Notice } from './notice.js';
import { outsideWordsOf, type Told } from './notice.words.js';
import { oneOfSeveral } from './notifications.queries.js';

/** Kinds of mails. */
export const toldBy: Readonly<Record<Notice['para'], string>> = {
  personal: 'notifications.told',
  aluno: 'notifications.told-student',
};

/** Mails notifications to users who have chosen that. */
@Injectable()
export class NotificationMails implements OnModuleInit {
  constructor(
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.outbox.define(toldBy.personal, (mail) => this.compose(mail));
    this.outbox.define(toldBy.aluno, (mail) => this.compose(mail), ALL_MAILS);
  }

  /** Null if the notification was read or taken back. */
  private async compose({ tenantId, subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, toldByMail({ id: subjectId }));
    if (!row) return null;
    const { titulo, texto, endereco } = outsideWordsOf(row as unknown as Told, {
      timezone: row.timezone,
      tenantId: tenantId!,
    });
    return {
      to: row.email,
      subject: titulo,
      paragraphs: [texto || titulo],
      button: { label: 'Abrir no Rende', url: `${this.config.siteUrl}${endereco}` },
      footnote: 'Para escolher o que chega por e-mail, abra Notificações no Rende.',
    };
  }
}

const toldByMail = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('notifications as n')
    .innerJoin('tenants as t', 't.tenant_id', 'n.tenant_id')
    .innerJoin('memberships as m', (join) =>
      join
        .onRef('m.tenant_id', '=', 'n.tenant_id')
        .on(
          sql<boolean>`case n.para when 'personal' then m.role = 'personal' else m.student_id = n.student_id end`,
        ),
    )
    .innerJoin('auth.users as u', (join) =>
      join.onRef('u.id', '=', 'm.user_id').on('u.email_confirmed_at', 'is not', null),
    )
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'n.student_id'))
    .select(['n.tipo', 'n.subject_id', 'n.student_id', 's.nome', 'n.quantidade', 'n.inicio', 'n.antes'])
    .select(['n.valor', 'n.dia', 't.timezone', 'u.email'])
    .select(oneOfSeveral.as('de'))
    .where('n.id', '=', id)
    .where('n.lida_em', 'is', null)
    .compile(),
);
