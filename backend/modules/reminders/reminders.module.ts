import { Module, Controller, Get, Param, Res, Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Feature } from '../../platform/features.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { serve, together } from '../../platform/http/serve.js';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { defineGuard } from '../../platform/event-store/guard.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { dayAndTime, firstName } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { Confirmations } from './confirmations.queries.js';
import { reminder, type ReminderEvent } from './reminder.js';
import { remindersApi, reminderErrors, confirmationParams } from './reminders.api.js';
import { MarkReminderSent, MarkReminderUnsent, PrepareReminders } from './reminders.commands.js';
import { confirmPage } from './confirm-page.html.js';
import { prepareReminders } from './reminders.job.js';
import { ListReminders, CountRemindersWaiting, confirmationUrl } from './reminders.queries.js';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import type { Letter } from '../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import type { SwitchedOff } from '../letters/letters.api.js';
import { mailSwitchedOff } from '../letters/notification-settings.queries.js';
import { trainersName } from '../accounts/trainers-name.queries.js';
import { agreedAddress } from '../services/offered.queries.js';

const KIND = 'reminders.session';

/** Mails a reminder, if the student has an e-mail address. */
const reminderMail = defineReaction({
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
    .select(agreedAddress.as('chamada'))
    .select(trainersName.as('personal'))
    .where('r.id', '=', id)
    .where('s.status', '=', 'agendada')
    .where(sql<boolean>`not s.deleted`)
    .compile(),
);

@Injectable()
class ReminderMails implements OnModuleInit {
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
    const isOnline = row.local === null && row.chamada !== null;
    const where = row.local === null ? (isOnline ? ', online' : '') : `, em ${row.local}`;
    return {
      to: row.email,
      subject: `Lembrete: sua aula com ${row.personal}`,
      paragraphs: [
        `Oi, ${firstName(row.nome)}!`,
        `Sua aula com ${row.personal} é ${when}${where}.`,
        // Mails link to nothing that a trainer typed.
        ...(isOnline ? ['O link da chamada está na página que o botão abre.'] : []),
      ],
      button: { label: 'Confirmar presença', url: confirmationUrl(this.config, this.tokens, reminderId) },
      footnote: 'Não vai poder ir? Fale com o seu personal.',
    };
  }
}

interface ReminderRow {
  session_id: string;
  student_id: string;
  inicio: string;
  por_email: boolean;
  preparado_em: Date;
  enviado_em: Date | null;
  confirmado_em: Date | null;
}

const reminders = stateProjection(reminder, {
  name: 'reminders',
  topic: 'reminders',
  table: 'reminders',
  students: ({ student_id }) => [student_id as string],
  evolve(row: ReminderRow | undefined, event) {
    const { type, data } = event;
    const { recordedAt } = event;
    if (type === 'ReminderPrepared') {
      const { session_id, student_id, inicio, por_email } = data;
      const none = { enviado_em: null, confirmado_em: null };
      return { session_id, student_id, inicio, por_email, preparado_em: recordedAt, ...none };
    }
    if (!row) return null;
    switch (type) {
      case 'ReminderSent':
        return { ...row, enviado_em: recordedAt };
      case 'ReminderUnsent':
        return { ...row, enviado_em: null };
      case 'ReminderConfirmed':
        return { ...row, confirmado_em: recordedAt };
    }
  },
});

/** Links by the hash of their token. */
const reminderTokens = defineGuard<ReminderEvent>({
  name: 'reminder-tokens',
  tables: ['reminder_tokens'],
  writes: {
    ReminderPrepared: ({ reminder_id, token_hash, session_id, student_id, inicio }) => [
      [
        `insert into reminder_tokens (tenant_id, id, token_hash, session_id, student_id, inicio)
          values ($1, $2, decode($3, 'hex'), $4, $5, $6)`,
        reminder_id,
        token_hash,
        session_id,
        student_id,
        inicio,
      ],
    ],
  },
});

/** The page on which a student confirms. Opening it changes nothing, because messengers open links before people do. */
@Controller('confirmar')
class ConfirmPageController {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly pages: Pages,
  ) {}

  @Get(':token')
  @RateLimit(OPENINGS)
  @Route({
    summary: 'Abre a página em que um aluno confirma uma aula',
    tags: ['reminders'],
    public: true,
    params: confirmationParams,
    query: anyQuery,
    media: 'text/html',
  })
  async open(@Param('token') token: string, @Res() reply: FastifyReply) {
    const lesson = await this.confirmations.show(token);
    return this.pages.send(reply, confirmPage({ lesson, token, siteUrl: this.pages.siteUrl }));
  }
}

type Data = { session_id: string; student_id: string; inicio: string };

const subjects = ({ session_id, student_id }: Data) => [`session:${session_id}`, `student:${student_id}`];
/** `sessão de qui., 26 de nov. de 2026, 7:00`; without its time in its own history. */
const named = ({ session_id, inicio }: Data, zone: string, of: string | undefined) =>
  of === `session:${session_id}` ? 'sessão' : `sessão de ${dayAndTime(inicio, zone)}`;
const said = (what: string) => ({
  subjects,
  words: (data: Data, zone: string, of?: string) => `${what} da ${named(data, zone, of)}`,
});

const reminderHistory: HistoryWords<ReminderEvent> = {
  ReminderPrepared: {
    subjects,
    words: (data, zone, of) =>
      `Preparou o lembrete da ${named(data, zone, of)}${data.por_email ? ': enviado por e-mail' : ''}`,
  },
  ReminderSent: said('Enviou pelo WhatsApp o lembrete'),
  ReminderUnsent: said('Desfez o envio do lembrete'),
  ReminderConfirmed: {
    subjects,
    words: (data, zone, of) => `O aluno confirmou a presença na ${named(data, zone, of)}`,
  },
};

/**
 * Reminders (`reminders`) of the next day's sessions are prepared by a job from 18:00 in the tenant's zone on. One database
 * function (`reminders_due`) finds them for all tenants, and one command each decides again. A reminder's id follows from
 * session, student and start: it is prepared once, and again for a session that was moved. A reaction sends the mail; the sheet
 * "Lembretes" offers it for WhatsApp. Its link opens a page (`confirm-page.html.ts`) on which a button confirms, because
 * messengers open links by themselves. Who cannot come writes to the trainer: a message changes nothing either.
 */
@Module(
  together(
    serve(remindersApi, {
      list: ListReminders,
      waiting: CountRemindersWaiting,
      sent: MarkReminderSent,
      unsent: MarkReminderUnsent,
    }),
    {
      controllers: [ConfirmPageController],
      providers: [PrepareReminders.Handler, Confirmations, ReminderMails, prepareReminders.Handler],
    },
  ),
)
export class RemindersModule {
  static readonly feature: Feature = {
    aggregates: [reminder],
    guards: [reminderTokens],
    projections: [reminders],
    history: reminderHistory,
    ownData: {
      trainer: {
        lembretes: `select r.id, r.session_id, r.student_id, a.nome as aluno, r.inicio, r.por_email, r.preparado_em, r.enviado_em,
        r.confirmado_em
      from reminders r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id order by r.inicio, r.id`,
      },
      student: {
        lembretes: `select id, session_id, inicio, por_email, enviado_em, confirmado_em from reminders where student_id = $1
      order by inicio, id`,
      },
    },
    errors: reminderErrors,
    failures: [pageFailures('/confirmar', () => DEAD_LINK)],
    reactions: [reminderMail],
    jobs: [prepareReminders],
  };
}
