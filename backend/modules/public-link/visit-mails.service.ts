import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database, type Query } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Letter } from '../../platform/mail/letter.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { takeMail, type WantedMail } from '../../platform/mail/mail-limits.js';
import { type Mail, Outbox, VISITS } from '../../platform/mail/outbox.js';
import { brl, dayAndTime } from '../../platform/portuguese.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import type { SessionEvent } from '../sessions/session.js';
import { calendarOf } from './visit-calendar.ics.js';
import type { VisitEvent } from './visit.js';
import { VisitorLimits } from './visitor-limits.service.js';
import { VisitorSecrets } from './visitor-secrets.service.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

const TOLD = [
  'VisitorBooked',
  'VisitPaid',
  'VisitLapsed',
  'SessionChanged',
  'SessionRescheduled',
  'SessionCancelled',
  'SessionReopened',
  'SessionDeleted',
  'SessionRestored',
] as const satisfies (VisitEvent | SessionEvent)['type'][];
type ToldEvent = Extract<VisitEvent | SessionEvent, { type: (typeof TOLD)[number] }>;

/** Mails visitors who gave an address about changes of their booking. */
export const visitMail = defineReaction({
  name: 'visit-mail',
  events: TOLD,
});

interface Told {
  personal: string;
  when: string;
  confirmado: boolean;
  /** When it is cancelled unless it is confirmed, or paid. */
  lapses: string | null;
  /** Cents that are to be paid before it stands. */
  pedido: number;
  pago: number;
}

interface Words {
  subject: (personal: string) => string;
  /** `when` includes the location. */
  says: (told: Told) => string[];
  /** Whether the session will still take place. */
  stands: boolean;
}

const wait = ({ confirmado, lapses, pedido }: Told): string[] => {
  if (pedido > 0)
    return [
      `Falta pagar ${brl(pedido)} por Pix${lapses === null ? '' : ` até ${lapses}`}: o código está na página da reserva.`,
    ];
  if (confirmado) return [];
  return [
    `O personal ainda vai confirmar este horário.${lapses === null ? '' : ` Sem confirmação até ${lapses}, a reserva é cancelada.`}`,
  ];
};

const kinds = {
  booked: {
    subject: (personal) => `Horário reservado com ${personal}`,
    says: (told) => [`Sua aula com ${told.personal} está reservada: ${told.when}.`, ...wait(told)],
    stands: true,
  },
  paid: {
    subject: (personal) => `Pix recebido: sua aula com ${personal}`,
    says: (told) => [`Recebemos ${brl(told.pago)} pela sua aula: ${told.when}.`, ...wait(told)],
    stands: true,
  },
  confirmed: {
    subject: (personal) => `Horário confirmado com ${personal}`,
    says: ({ personal, when }) => [`${personal} confirmou a sua aula: ${when}.`],
    stands: true,
  },
  moved: {
    subject: (personal) => `Sua aula com ${personal} mudou de horário`,
    says: (told) => [`O novo horário é ${told.when}.`, ...wait(told)],
    stands: true,
  },
  place: {
    subject: (personal) => `Sua aula com ${personal} mudou de local`,
    says: (told) => [`O local mudou: ${told.when}.`, ...wait(told)],
    stands: true,
  },
  back: {
    subject: (personal) => `Sua reserva com ${personal} voltou a valer`,
    says: (told) => [`O horário é ${told.when}.`, ...wait(told)],
    stands: true,
  },
  cancelled: {
    subject: (personal) => `Reserva cancelada com ${personal}`,
    says: ({ when }) => [`Sua reserva de ${when} foi cancelada.`],
    stands: false,
  },
  lapsed: {
    subject: (personal) => `${personal} não confirmou o horário`,
    says: ({ personal, when }) => [
      `${personal} não confirmou a sua reserva de ${when} a tempo, e ela foi cancelada.`,
    ],
    stands: false,
  },
  unpaid: {
    subject: (personal) => `O Pix da sua aula com ${personal} não chegou`,
    says: ({ when }) => [
      `O prazo para pagar a reserva de ${when} terminou, e o horário ficou livre.`,
      'Se você pagou ou ainda pagar, a reserva volta se o horário estiver livre; senão, o valor é devolvido.',
    ],
    stands: false,
  },
  declined: {
    subject: (personal) => `${personal} não pode atender neste horário`,
    says: ({ when }) => [`Sua reserva de ${when} foi cancelada.`],
    stands: false,
  },
} satisfies Record<string, Words>;
type Kind = keyof typeof kinds;

/** The kind of mail for an event; null for changes of neither time and place nor the trainer's answer. */
function newsOf({ type, data }: ToldEvent): Kind | null {
  switch (type) {
    case 'VisitorBooked':
      return data.email === null ? null : 'booked';
    case 'VisitPaid':
      // That it is booked again is told with its session.
      return data.voltou ? null : 'paid';
    case 'VisitLapsed':
      return data.sem_pagamento ? 'unpaid' : 'lapsed';
    case 'SessionChanged':
      if (data.confirmado && data.antes.confirmado === false) return 'confirmed';
      return data.antes.location_id === undefined || data.location_id === null ? null : 'place';
    case 'SessionRescheduled':
      return data.ocupa ? 'moved' : null;
    case 'SessionCancelled':
      if (data.de !== 'agendada' || data.motivo === 'falta') return null;
      return data.motivo === 'personal' ? 'declined' : 'cancelled';
    case 'SessionReopened':
      return data.de === 'cancelada' ? 'back' : null;
    case 'SessionDeleted':
      return data.de === 'agendada' ? 'declined' : null;
    case 'SessionRestored':
      return data.para === 'agendada' ? 'back' : null;
  }
}

const WHOSE = `select v.id, v.email, v.venceu, s.inicio from visits v
  join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id
  where v.tenant_id = $1 and v.session_id = $2 and v.student_id = $3 and v.email is not null`;
interface Visit {
  id: string;
  email: string;
  venceu: boolean;
  inicio: Date;
}

const told = statement((db, { id }: Blanks<{ id: string }>) =>
  sql<{
    email: string | null;
    mensagem: string | null;
    vence_em: Date | null;
    inicio: Date;
    fim: Date;
    status: 'agendada' | 'feita' | 'cancelada';
    deleted: boolean;
    confirmado: boolean;
    location_id: string | null;
    local: string | null;
    servico: string | null;
    endereco: string | null;
    timezone: string;
    slug: string;
    personal: string | null;
    pedido: number;
    pago: number;
    devolver: number;
  }>`select v.email, v.mensagem, v.vence_em, s.inicio, s.fim, s.status, s.deleted, s.confirmado, s.location_id, l.nome as local, sv.nome as servico,
    l.endereco, t.timezone, t.slug,
    ${trainersName} as personal, coalesce(c.devolver, 0) as devolver, coalesce(c.pago, 0) as pago,
    case when c.status = 'aberta' then greatest(c.entrada - c.pago, 0) else 0 end as pedido
    from visits v
    join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id and s.student_id = v.student_id
    join tenants t on t.tenant_id = v.tenant_id
    left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
    left join charges c on c.tenant_id = s.tenant_id and c.id = (s.porta ->> 'charge_id')::uuid
    left join services sv on sv.tenant_id = s.tenant_id and sv.id = (s.servico->>'service_id')::uuid
    where v.id = ${id}`.compile(db),
);

/**
 * Sends a mail for each change, to the address given with the booking; the second of a kind within an hour waits for its end and
 * tells the newest state, so that the last is always told. The address is not verified: mails contain nothing that the visitor
 * typed, and their number per address and day is limited.
 */
@Injectable()
export class VisitMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly addresses: MailAddresses,
    private readonly limits: VisitorLimits,
    private readonly secrets: VisitorSecrets,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    for (const kind of Object.keys(kinds) as Kind[])
      this.outbox.define(`visits.${kind}`, (mail) => this.compose(kind, mail), VISITS);
    this.reactions.handle(visitMail, async (occasion) => {
      const { tenantId, type, data } = occasion.event;
      const event = { type, data } as unknown as ToldEvent;
      const kind = newsOf(event);
      const visit = kind && (await this.whose(occasion.query, tenantId, event));
      // A lapse cancels the session, which is no refusal.
      if (!kind || !visit || (kind === 'declined' && visit.venceu)) return undefined;
      const { student_id: personId } = event.data;
      const about = { personId, addressHash: this.addresses.hashOf(visit.email) };
      const now = this.clock.now();
      // A mail that waits would come too late.
      const isSoon = visit.inicio.getTime() - now.getTime() < 2 * 3_600_000;
      const mail: WantedMail = { ...about, cause: 'visitor', thing: isSoon ? null : `${kind}/${visit.id}` };
      if (!(await this.limits.mail(visit.email))) return undefined;
      const at = await takeMail(occasion, mail, now, true);
      if (!at) return undefined;
      const told = { kind: `visits.${kind}`, subjectId: visit.id, ...about };
      return this.outbox.react(occasion, told, at.getTime() - now.getTime());
    });
  }

  private async whose(
    query: Query,
    tenantId: string,
    { data: { session_id, student_id } }: VisitEvent | SessionEvent,
  ): Promise<Visit | undefined> {
    const [visit] = await query<Visit>(WHOSE, [tenantId, session_id, student_id]);
    return visit;
  }

  /** Null if it is no longer true, the session has begun, or the person was forgotten. */
  private async compose(kind: Kind, { tenantId, subjectId: visitId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, told({ id: visitId }));
    if (!row?.email || !row.personal || row.inicio <= this.clock.now()) return null;
    const { subject, says, stands }: Words = kinds[kind];
    if (stands !== (row.status === 'agendada' && !row.deleted)) return null;
    const { personal, local, servico, endereco, timezone, slug, confirmado, mensagem, vence_em } = row;
    const { pedido, pago, devolver } = row;
    const { siteUrl } = this.config;
    const own = `${siteUrl}/p/reserva/${this.secrets.tokenOf(visitId)}`;
    const day = dayAndTime(row.inicio, timezone);
    const when = `${servico === null ? '' : `${servico}, `}${day}${local === null ? '' : `, em ${local}`}`;
    const announced = {
      visitId,
      personal,
      confirmado,
      pedido,
      status: stands ? ('agendada' as const) : ('cancelada' as const),
      location: local === null ? null : { id: row.location_id!, nome: local, endereco },
      inicio: row.inicio.toISOString(),
      fim: row.fim.toISOString(),
    };
    return {
      to: row.email,
      subject: subject(personal),
      paragraphs: [
        'Olá!',
        ...says({
          personal,
          when,
          confirmado,
          pedido,
          pago,
          lapses: vence_em && vence_em < row.inicio ? dayAndTime(vence_em, timezone) : null,
        }),
        ...(!stands && devolver > 0
          ? [`${brl(devolver)} do que você pagou voltam para você: ${personal} faz a devolução.`]
          : []),
        ...(kind === 'declined' && mensagem !== null ? [`Mensagem de ${personal}: “${mensagem}”`] : []),
      ],
      button: stands
        ? { label: 'Ver, remarcar ou cancelar', url: own }
        : { label: 'Escolher outro horário', url: `${siteUrl}/p/${slug}` },
      footnote: 'Não foi você que agendou? Ignore este e-mail.',
      attachment: {
        name: 'aula.ics',
        type: 'text/calendar; charset=utf-8; method=PUBLISH',
        content: calendarOf(announced, own, this.clock.now()),
      },
    };
  }
}
