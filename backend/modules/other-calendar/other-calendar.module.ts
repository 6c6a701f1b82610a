import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { CalendarReader } from './calendar-reader.service.js';
import { CalendarSource } from './calendar-source.service.js';
import { otherCalendarApi, otherCalendarErrors } from './other-calendar.api.js';
import {
  UnlinkOtherCalendar,
  LinkOtherCalendar,
  RelinkOtherCalendar,
  ReportOtherCalendar,
} from './other-calendar.commands.js';
import { OtherCalendarController } from './other-calendar.controller.js';
import { OtherCalendarJob, readDueCalendars, readOtherCalendar } from './other-calendar.job.js';
import { otherCalendar, type OtherCalendarEvent } from './other-calendar.js';
import { otherCalendars } from './other-calendar.projection.js';
import { ShowOtherCalendar } from './other-calendar.queries.js';
import type { HistoryWords } from '../../platform/event-store/history.js';

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
