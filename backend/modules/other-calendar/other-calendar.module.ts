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
import { otherCalendarHistory } from './other-calendar.history.js';
import { OtherCalendarJob, readDueCalendars, readOtherCalendar } from './other-calendar.job.js';
import { otherCalendar } from './other-calendar.js';
import { otherCalendars } from './other-calendar.projection.js';
import { ShowOtherCalendar } from './other-calendar.queries.js';

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
    errors: otherCalendarErrors,
    jobs: [readOtherCalendar, readDueCalendars],
    // Rows of closed tenants.
    purges: ['other_calendar_reads', 'other_calendar_busy'].map(
      (table) =>
        `delete from ${table} b where not exists (select from tenants t where t.tenant_id = b.tenant_id)`,
    ),
  };
}
