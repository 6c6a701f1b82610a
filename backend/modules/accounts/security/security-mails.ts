import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import type { Letter } from '../../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../../platform/mail/outbox.js';
import { deviceName } from '../device.js';
import { noticeKind, notices, type NotifiedEvent } from './notices.js';

const HAPPENED = `select e.event, e.at, e.user_agent, u.email,
    coalesce((select timezone from auth.memberships_of(u.id) limit 1), 'America/Sao_Paulo') as timezone
  from auth.security_events e join auth.users u on u.id = e.user_id where e.id = $1`;

interface Happened {
  event: NotifiedEvent;
  at: Date;
  user_agent: string | null;
  email: string;
  timezone: string;
}

/** Composes the mails about security events. */
@Injectable()
export class SecurityMails implements OnModuleInit {
  constructor(
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    for (const event of Object.keys(notices) as NotifiedEvent[])
      this.outbox.define(noticeKind(event), (mail) => this.compose(mail));
  }

  /** Null if the account is gone. */
  private async compose({ subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.query<Happened>(HAPPENED, [subjectId]);
    if (!row) return null;
    const { subject, happened, besides, otherwise } = notices[row.event];
    const device = deviceName(row.user_agent) ?? 'aparelho desconhecido';
    return {
      to: row.email,
      subject,
      paragraphs: [
        `${happened} em ${momentOf(row.at, row.timezone)} (${device}).`,
        ...(besides ? [besides] : []),
        `Foi você? Então está tudo certo. ${otherwise}`,
      ],
      button: { label: 'Abrir o Rende', url: `${this.config.siteUrl}/` },
    };
  }
}

/** `22/11/2026 às 9:04 GMT-3`: mails are read anywhere, so the zone is named. */
function momentOf(at: Date, timeZone: string): string {
  const date = at.toLocaleDateString('pt-BR', { timeZone });
  const time = at.toLocaleTimeString('pt-BR', {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'shortOffset',
  });
  return `${date} às ${time.replace(/^0(?=\d)/, '')}`;
}
