import { Module, Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Feature } from '../../platform/features.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { stateProjection } from '../../platform/projections/projection.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { CalendarReader } from './calendar-reader.service.js';
import { CalendarSource } from './calendar-source.service.js';
import {
  otherCalendarApi,
  otherCalendarErrors,
  otherCalendarCalls,
  type OtherCalendarLink,
  type OtherCalendar,
} from './other-calendar.api.js';
import {
  UnlinkOtherCalendar,
  LinkOtherCalendar,
  RelinkOtherCalendar,
  ReportOtherCalendar,
} from './other-calendar.commands.js';
import { OtherCalendarJob, readDueCalendars, readOtherCalendar } from './other-calendar.job.js';
import { otherCalendar, type OtherCalendarEvent } from './other-calendar.js';
import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';

const ShowOtherCalendar = defineQuery('ShowOtherCalendar', async ({ now, read }): Promise<OtherCalendar> => {
  const [row] = await read(connected({ now }));
  if (!row?.link_ics) return { calendario: null };
  const { calendar_id: id, link_ics, desde, lido_em, falha_desde, falha, parado_desde, ocupados } = row;
  return {
    calendario: {
      id,
      servidor: new URL(link_ics).hostname,
      desde: desde.toISOString(),
      ocupados,
      lido_em: lido_em?.toISOString() ?? null,
      falha_desde: falha_desde?.toISOString() ?? null,
      falha: falha && failureWords(falha),
      parado_desde: parado_desde?.toISOString() ?? null,
      ignorados: row.ignorados ?? 0,
    },
  };
});

const connected = statement((db, { now }: Blanks<{ now: Date }>) =>
  db
    .selectFrom('other_calendar as c')
    .leftJoin('other_calendar_reads as r', (join) => sameTenant(join, 'r.calendar_id', 'c.calendar_id'))
    .select(['c.calendar_id', 'c.link_ics', 'c.desde', 'r.lido_em', 'r.falha_desde', 'r.falha'])
    .select(['c.parado_desde', 'r.ignorados'])
    .select(
      sql<number>`(select count(*)::int from other_calendar_busy b where b.fim > ${now}::timestamptz)`.as(
        'ocupados',
      ),
    )
    .compile(),
);

/** The text of each failure for the trainer. */
const words: Readonly<Record<string, string>> = {
  endereco: 'o endereço não é público ou não existe',
  conexao: 'o servidor não respondeu',
  tempo: 'o servidor demorou mais de 30 segundos',
  tamanho: 'o calendário tem mais de 30 MB',
  redirecionamentos: 'o endereço redireciona vezes demais',
  formato: 'o endereço não é de um calendário (.ics)',
  incompleto: 'o calendário chegou incompleto',
  repeticoes: 'o calendário tem eventos ou repetições demais',
};

/** `falha`: the stored failure, a kind or `resposta 404`. */
function failureWords(falha: string): string {
  const status = /^resposta (\d+)$/.exec(falha)?.[1];
  return status === undefined
    ? (words[falha] ?? 'houve um erro')
    : `o servidor respondeu com o erro ${status}`;
}

@Controller()
class OtherCalendarController {
  constructor(
    private readonly commands: CommandBus,
    private readonly job: OtherCalendarJob,
  ) {}

  @Serves(otherCalendarCalls.link)
  async link(@Ctx() context: CommandContext, @Body() link: OtherCalendarLink) {
    const done = await this.commands.execute(new LinkOtherCalendar(context, link));
    this.job.wake(context.tenantId, done.position);
    return done;
  }

  @Serves(otherCalendarCalls.relink)
  async relink(@Ctx() context: CommandContext) {
    const done = await this.commands.execute(new RelinkOtherCalendar(context));
    this.job.wake(context.tenantId, done.position);
    return done;
  }

  /** Reads the calendar again; records no event. */
  @Serves(otherCalendarCalls.read)
  read(@Ctx() { tenantId }: CommandContext) {
    this.job.wake(tenantId, 0);
    return { answer: { id: tenantId }, position: 0 };
  }
}

interface OtherCalendarRow {
  calendar_id: string;
  link_ics: string | null;
  desde: Date;
  parado_desde: Date | null;
}

/** The connected calendar, under the tenant's id. */
const otherCalendars = stateProjection(otherCalendar, {
  name: 'other-calendar',
  version: 2,
  topic: 'calendar',
  table: 'other_calendar',
  evolve(row: OtherCalendarRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'OtherCalendarLinked':
        return {
          calendar_id: data.calendar_id,
          link_ics: data.link_ics,
          desde: event.recordedAt,
          parado_desde: null,
        };
      case 'OtherCalendarUnlinked':
        return null;
      case 'OtherCalendarStopped':
        return row ? { ...row, parado_desde: new Date(data.desde) } : null;
      case 'OtherCalendarResumed':
        return row ? { ...row, parado_desde: null } : null;
    }
  },
});

const subjects = (_data: never, tenantId: string) => [`calendar:${tenantId}`];

const otherCalendarHistory: HistoryWords<OtherCalendarEvent> = {
  OtherCalendarLinked: { subjects, words: () => 'Conectou outro calendário, que bloqueia horários' },
  OtherCalendarStopped: { subjects, words: () => 'O outro calendário parou de responder' },
  OtherCalendarResumed: { subjects, words: () => 'O outro calendário voltou a responder' },
  OtherCalendarUnlinked: { subjects, words: () => 'Desconectou o outro calendário' },
};

/**
 * Another calendar (`other-calendar`) blocks times. Its address is stored in an event, its content is not. A job fetches it
 * every half hour, less often while that fails. Only public addresses are contacted: the resolved address is checked when
 * connecting, and again for each of at most three redirects. Size (30 MB, decompressed) and time (30 s) are limited. It is
 * parsed as it arrives, in a thread that is terminated after eight seconds of its own or beyond a memory limit, so no calendar
 * can block a worker. A tenant has one read at a time, however often the trainer connects. Only the lines that decide about time
 * are read (`calendar-lines.ts`), and events that are over are dropped at once, since such addresses contain a calendar's whole
 * past. `ical.js` reads rules and definitions of zones; times are compared as instants. An event that cannot be read, or repeats
 * too often, is left out and counted. Only busy times are stored, a year ahead; free times and refusals use them. Settings show
 * what cannot be read, together with the last content that could. After six hours without an answer, an event
 * (`OtherCalendarStopped`) notifies the trainer and puts a line in the agenda; visitors are told nothing.
 */
@Module(
  together(serve(otherCalendarApi, { show: ShowOtherCalendar, unlink: UnlinkOtherCalendar }), {
    controllers: [OtherCalendarController],
    providers: [
      LinkOtherCalendar.Handler,
      RelinkOtherCalendar.Handler,
      ReportOtherCalendar.Handler,
      CalendarSource,
      CalendarReader,
      OtherCalendarJob,
    ],
  }),
)
export class OtherCalendarModule {
  static readonly feature: Feature = {
    aggregates: [otherCalendar],
    projections: [otherCalendars],
    history: otherCalendarHistory,
    ownData: { trainer: { 'outro-calendario': `select link_ics, desde from other_calendar` } },
    errors: otherCalendarErrors,
    jobs: [readOtherCalendar, readDueCalendars],
    // Rows of closed tenants.
    purges: ['other_calendar_reads', 'other_calendar_busy'].map(
      (table) =>
        `delete from ${table} b where not exists (select from tenants t where t.tenant_id = b.tenant_id)`,
    ),
  };
}
