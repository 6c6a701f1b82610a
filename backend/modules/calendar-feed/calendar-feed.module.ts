import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { calendarFeedApi, studentCalendarApi, calendarFeedErrors } from './calendar-feed.api.js';
import {
  SetCalendarFeed,
  RenewCalendarFeed,
  RestoreCalendarFeed,
  RevokeCalendarFeed,
} from './calendar-feed.commands.js';
import {
  CalendarFeedController,
  PublicCalendarController,
  SessionFileController,
  StudentCalendarController,
} from './calendar-feed.controller.js';
import { calendarFeedTokens, studentCalendarTokens } from './calendar-feed.guard.js';
import { calendarFeedHistory } from './calendar-feed.history.js';
import { calendarFeed } from './calendar-feed.js';
import { calendarFeeds, sessionRevisions, studentCalendars } from './calendar-feed.projection.js';
import {
  ShowCalendarFeed,
  ShowStudentCalendar,
  FindCalendarHandler,
  ReadCalendarHandler,
  ReadSessionEntry,
} from './calendar-feed.queries.js';
import { ReadSeriesEntries } from './series-file.queries.js';
import {
  OpenStudentCalendar,
  RenewStudentCalendar,
  RestoreStudentCalendar,
  RevokeStudentCalendar,
} from './student-calendar.commands.js';
import { studentCalendar } from './student-calendar.js';

@Module(
  together(
    serve(calendarFeedApi, {
      set: SetCalendarFeed,
      renew: RenewCalendarFeed,
      show: ShowCalendarFeed,
      restore: RestoreCalendarFeed,
      revoke: RevokeCalendarFeed,
    }),
    serve(studentCalendarApi, {
      open: OpenStudentCalendar,
      renew: RenewStudentCalendar,
      show: ShowStudentCalendar,
      restore: RestoreStudentCalendar,
      revoke: RevokeStudentCalendar,
    }),
    {
      controllers: [
        CalendarFeedController,
        StudentCalendarController,
        SessionFileController,
        PublicCalendarController,
      ],
      providers: [
        FindCalendarHandler,
        ReadCalendarHandler,
        ReadSessionEntry.Handler,
        ReadSeriesEntries.Handler,
      ],
    },
  ),
)
export class CalendarFeedModule {
  static readonly feature: Feature = {
    aggregates: [calendarFeed, studentCalendar],
    guards: [calendarFeedTokens, studentCalendarTokens],
    projections: [calendarFeeds, studentCalendars, sessionRevisions],
    history: calendarFeedHistory,
    errors: calendarFeedErrors,
  };
}
