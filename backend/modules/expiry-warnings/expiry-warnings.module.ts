import { Module, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import { firstName, shortDate } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { expiryWarning, type ExpiryWarningEvent } from './expiry-warning.js';
import { expiryWarningsApi, expiryWarningErrors } from './expiry-warnings.api.js';
import {
  MarkExpiryWarningSent,
  MarkExpiryWarningUnsent,
  PrepareExpiryWarnings,
} from './expiry-warnings.commands.js';
import { ListExpiryWarnings, endOf, toldByMail, dueWarnings } from './expiry-warnings.queries.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { Letter } from '../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import type { SwitchedOff } from '../letters/letters.api.js';
import { mailSwitchedOff } from '../letters/notification-settings.queries.js';
import { CommandBus } from '@nestjs/cqrs';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachTenantByDay } from '../../platform/jobs/each-alone.js';
import { dateOf } from '../../platform/local-time.js';

const TENANTS = 'select tenant_id, timezone from tenants_open()';
/** Maximum of warnings for one tenant in one run; the next run continues. */
const AT_ONCE = 100;

/**
 * Warns of credits that expire in 7 days. Each warning is decided again under the tenant's lock, so it is prepared once even if the
 * job is interrupted or runs twice.
 */
export const expiryWarningsDue = defineSchedule(
  'expiry-warnings',
  900_000,
  { database: Database, commands: CommandBus },
  (now, { database, commands }) =>
    eachTenantByDay(database, now, { select: TENANTS, values: [] }, async (tenantId, timezone) => {
      const asked = { now, today: dateOf(now, timezone), timezone, most: AT_ONCE };
      const due = await database.read(tenantId, dueWarnings(asked));
      if (due.length > 0)
        await commands.execute(new PrepareExpiryWarnings(nobodyOf(tenantId, timezone), due));
    }),
);

const KIND = 'credits.expiry';

/** Mails a warning, if the student has an e-mail address. */
const expiryWarningMail = defineReaction({
  name: 'expiry-warning-mail',
  events: ['ExpiryWarningPrepared'] satisfies ExpiryWarningEvent['type'][],
});

@Injectable()
class ExpiryWarningMails implements OnModuleInit {
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
      paragraphs: [`Oi, ${firstName(row.nome)}!`, endOf(row)],
      footnote: `Para agendar suas aulas, fale com ${row.personal}.`,
    };
  }
}

interface WarningRow {
  student_id: string;
  expira_em: string;
  expires_at: string;
  por_email: boolean;
  preparado_em: string;
  enviado_em: string | null;
}

const expiryWarnings = stateProjection(expiryWarning, {
  name: 'expiry-warnings',
  topic: 'expiry-warnings',
  table: 'expiry_warnings',
  evolve(row: WarningRow | undefined, event) {
    const { type, data } = event;
    const at = event.recordedAt.toISOString();
    if (type === 'ExpiryWarningPrepared') {
      const { warning_id: _, ...prepared } = data;
      return { ...prepared, preparado_em: at, enviado_em: null };
    }
    if (!row) return null;
    switch (type) {
      case 'ExpiryWarningSent':
        return { ...row, enviado_em: at };
      case 'ExpiryWarningUnsent':
        return { ...row, enviado_em: null };
    }
  },
});

type Data = ExpiryWarningEvent['data'];

const subjects = ({ student_id }: Data) => [`student:${student_id}`];
const said = (words: string): HistoryWording => ({
  subjects,
  words: ({ expira_em }: Data) => `${words} dos créditos que vencem em ${shortDate(expira_em)}`,
});

const expiryWarningHistory: HistoryWords<ExpiryWarningEvent> = {
  ExpiryWarningPrepared: {
    subjects,
    words: ({ expira_em, por_email }) =>
      `Preparou o aviso dos créditos que vencem em ${shortDate(expira_em)}${por_email ? ': enviado por e-mail' : ''}`,
  },
  ExpiryWarningSent: said('Enviou pelo WhatsApp o aviso'),
  ExpiryWarningUnsent: said('Desfez o envio do aviso'),
};

/**
 * Expiring credits (`expiry-warnings`) are announced once per student and last day, by a job between 9:00 and 20:00 in the
 * tenant's zone, seven days ahead. The id follows from student and day; a reaction sends the mail. If a vacation moves the day,
 * there is another warning. The sheet "Lembretes" offers those without an e-mail address for WhatsApp.
 */
@Module(
  together(
    serve(expiryWarningsApi, {
      list: ListExpiryWarnings,
      sent: MarkExpiryWarningSent,
      unsent: MarkExpiryWarningUnsent,
    }),
    { providers: [PrepareExpiryWarnings.Handler, ExpiryWarningMails, expiryWarningsDue.Handler] },
  ),
)
export class ExpiryWarningsModule {
  static readonly feature: Feature = {
    aggregates: [expiryWarning],
    projections: [expiryWarnings],
    history: expiryWarningHistory,
    ownData: {
      trainer: {
        'avisos-de-vencimento': `select w.id, w.student_id, a.nome as aluno, w.expira_em, w.por_email, w.preparado_em, w.enviado_em
      from expiry_warnings w left join students a on a.tenant_id = w.tenant_id and a.id = w.student_id
      order by w.expira_em, w.id`,
      },
      student: {
        'avisos-de-vencimento': `select id, expira_em, por_email, preparado_em, enviado_em from expiry_warnings where student_id = $1
      order by expira_em, id`,
      },
    },
    errors: expiryWarningErrors,
    reactions: [expiryWarningMail],
    jobs: [expiryWarningsDue],
  };
}
