import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Letter } from '../../platform/mail/letter.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { takeMail, type WantedMail } from '../../platform/mail/mail-limits.js';
import { type Mail, Outbox, VISITS } from '../../platform/mail/outbox.js';
import { dayAndTime } from '../../platform/portuguese.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import { VisitorLimits } from './visitor-limits.service.js';
import { VisitorSecrets } from './visitor-secrets.service.js';
import type { WaitingEvent } from './waiting.js';
import { NoteOfferNotMailed } from './waitlist.commands.js';
import { daysInWords, partsInWords } from './waitlist.history.js';
import type { DayPart } from './waitlist.api.js';
import { waitingUrl } from './waitlist.queries.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

const JOINED = 'waitlist.joined';
const OFFERED = 'waitlist.offered';
const KINDS = { WaitlistJoined: JOINED, WaitlistOffered: OFFERED } satisfies Partial<
  Record<WaitingEvent['type'], string>
>;

/** Mails people who join the waitlist their private link, and each offer to the person who gets it. */
export const waitlistMail = defineReaction({ name: 'waitlist-mail', events: Object.keys(KINDS) });

const WHOSE = `select w.email, t.timezone from waitlist w join tenants t using (tenant_id)
  where w.tenant_id = $1 and w.id = $2 and w.email is not null`;

const told = statement((db, { id }: Blanks<{ id: string }>) =>
  sql<{
    email: string | null;
    de: string;
    ate: string;
    periodos: DayPart[];
    status: string;
    ofertas: number;
    inicio: Date | null;
    ate_quando: Date | null;
    local: string | null;
    timezone: string;
    personal: string | null;
  }>`select w.email, w.de::text, w.ate::text, w.periodos, w.status, w.ofertas, w.oferta_inicio as inicio,
    w.oferta_ate as ate_quando, l.nome as local, t.timezone,
    ${trainersName} as personal
    from waitlist w
    join tenants t on t.tenant_id = w.tenant_id
    left join locations l on l.tenant_id = w.tenant_id and l.id = w.location_id
    where w.id = ${id}`.compile(db),
);

/** An address gets one private link an hour, whoever typed it; the page after joining shows the link as well. */
const thingOf = (type: keyof typeof KINDS, waitId: string): string =>
  type === 'WaitlistJoined' ? 'waitlist' : `offer/${waitId}`;

@Injectable()
export class WaitlistMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly commands: CommandBus,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly addresses: MailAddresses,
    private readonly limits: VisitorLimits,
    private readonly secrets: VisitorSecrets,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    for (const kind of [JOINED, OFFERED]) this.outbox.define(kind, (mail) => this.compose(mail), VISITS);
    this.reactions.handle(waitlistMail, async (occasion) => {
      const { tenantId, ...event } = occasion.event;
      const { type, data } = event as unknown as Extract<WaitingEvent, { type: keyof typeof KINDS }>;
      const { wait_id: subjectId, student_id: personId } = data;
      const [row] = await occasion.query<{ email: string; timezone: string }>(WHOSE, [tenantId, subjectId]);
      if (!row) return undefined;
      const about = { personId, addressHash: this.addresses.hashOf(row.email) };
      const mail: WantedMail = { ...about, cause: 'visitor', thing: thingOf(type, subjectId) };
      if ((await this.limits.mail(row.email)) && (await takeMail(occasion, mail, this.clock.now())))
        return this.outbox.react(occasion, { kind: KINDS[type], subjectId, ...about });
      if (type === 'WaitlistOffered')
        await this.commands.execute(
          new NoteOfferNotMailed(nobodyOf(tenantId, row.timezone, occasion.id), subjectId, data.oferta),
        );
      return undefined;
    });
  }

  /** Null if the offer has expired, or the person no longer waits or was forgotten. */
  private async compose({ tenantId, subjectId: waitId, kind }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, told({ id: waitId }));
    if (!row?.email || !row.personal || row.status !== 'esperando') return null;
    const { email: to, personal, timezone, de, ate, periodos, inicio, ate_quando, ofertas } = row;
    const where = row.local === null ? '' : `, em ${row.local}`;
    const token = this.secrets.tokenOf(waitId, 'wait');
    if (kind === JOINED)
      return {
        to,
        subject: `Você está na lista de espera de ${personal}`,
        paragraphs: [
          'Olá!',
          `Quando abrir um horário ${daysInWords(de, ate)} (${partsInWords(periodos)})${where}, a oferta chega neste e-mail.`,
        ],
        button: { label: 'Ver ou sair da lista', url: waitingUrl(this.config, token) },
        footnote: 'Não foi você? Ignore este e-mail ou saia da lista pelo link.',
      };
    if (!inicio || !ate_quando || ate_quando <= this.clock.now()) return null;
    return {
      to,
      subject: `Abriu um horário com ${personal}`,
      paragraphs: [
        'Olá!',
        `Abriu um horário: ${dayAndTime(inicio, timezone)}${where}.`,
        `Ele está reservado para você até ${dayAndTime(ate_quando, timezone)}. Depois passa para a próxima pessoa da lista.`,
      ],
      button: { label: 'Responder', url: waitingUrl(this.config, token, ofertas) },
      footnote: 'Este link é de uso único.',
    };
  }
}
