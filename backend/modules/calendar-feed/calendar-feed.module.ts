import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { calendarFeedErrors } from './calendar-feed.api.js';
import {
  RenewCalendarFeed,
  RestoreCalendarFeed,
  RevokeCalendarFeed,
  SetCalendarFeed,
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
  FindCalendarHandler,
  ReadCalendarHandler,
  ReadSessionEntry,
  ShowCalendarFeed,
  ShowStudentCalendar,
} from './calendar-feed.queries.js';
import { ReadSeriesEntries } from './series-file.queries.js';
import {
  OpenStudentCalendar,
  RenewStudentCalendar,
  RestoreStudentCalendar,
  RevokeStudentCalendar,
} from './student-calendar.commands.js';
import { studentCalendar } from './student-calendar.js';

@Module({
  controllers: [
    CalendarFeedController,
    StudentCalendarController,
    SessionFileController,
    PublicCalendarController,
  ],
  providers: [
    SetCalendarFeed.Handler,
    RenewCalendarFeed.Handler,
    RevokeCalendarFeed.Handler,
    RestoreCalendarFeed.Handler,
    OpenStudentCalendar.Handler,
    RenewStudentCalendar.Handler,
    RevokeStudentCalendar.Handler,
    RestoreStudentCalendar.Handler,
    ShowCalendarFeed.Handler,
    ShowStudentCalendar.Handler,
    FindCalendarHandler,
    ReadCalendarHandler,
    ReadSessionEntry.Handler,
    ReadSeriesEntries.Handler,
  ],
})
export class CalendarFeedModule {
  static readonly feature: Feature = {
    aggregates: [calendarFeed, studentCalendar],
    guards: [calendarFeedTokens, studentCalendarTokens],
    projections: [calendarFeeds, studentCalendars, sessionRevisions],
    history: calendarFeedHistory,
    errors: calendarFeedErrors,
  };
}
