import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { CalendarReader } from './calendar-reader.service.js';
import { CalendarSource } from './calendar-source.service.js';
import { otherCalendarErrors } from './other-calendar.api.js';
import {
  LinkOtherCalendar,
  RelinkOtherCalendar,
  ReportOtherCalendar,
  UnlinkOtherCalendar,
} from './other-calendar.commands.js';
import { OtherCalendarController } from './other-calendar.controller.js';
import { otherCalendarHistory } from './other-calendar.history.js';
import { OtherCalendarJob, readDueCalendars, readOtherCalendar } from './other-calendar.job.js';
import { otherCalendar } from './other-calendar.js';
import { otherCalendars } from './other-calendar.projection.js';
import { ShowOtherCalendar } from './other-calendar.queries.js';

@Module({
  controllers: [OtherCalendarController],
  providers: [
    LinkOtherCalendar.Handler,
    UnlinkOtherCalendar.Handler,
    RelinkOtherCalendar.Handler,
    ReportOtherCalendar.Handler,
    ShowOtherCalendar.Handler,
    CalendarSource,
    CalendarReader,
    OtherCalendarJob,
  ],
})
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
