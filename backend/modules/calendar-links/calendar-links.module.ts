import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import {
  SetCalendarFeed,
  RenewCalendarFeed,
  RestoreCalendarFeed,
  RevokeCalendarFeed,
} from './calendar-feed.commands.js';
import { calendarFeed } from './calendar-feed.js';
import { calendarFeedApi, studentCalendarApi, calendarLinkErrors } from './calendar-links.api.js';
import { calendarFeedTokens, studentCalendarTokens } from './calendar-links.guard.js';
import { calendarLinksHistory } from './calendar-links.history.js';
import { calendarFeeds, studentCalendars } from './calendar-links.projection.js';
import { ShowCalendarFeed, ShowStudentCalendar } from './calendar-links.queries.js';
import {
  OpenStudentCalendar,
  RenewStudentCalendar,
  RestoreStudentCalendar,
  RevokeStudentCalendar,
} from './student-calendar.commands.js';
import { studentCalendar } from './student-calendar.js';

/** The secret addresses of the trainer's calendar and of each student's. */
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
  ),
)
export class CalendarLinksModule {
  static readonly feature: Feature = {
    aggregates: [calendarFeed, studentCalendar],
    guards: [calendarFeedTokens, studentCalendarTokens],
    projections: [calendarFeeds, studentCalendars],
    history: calendarLinksHistory,
    ownData: {
      trainer: { 'link-do-calendario': `select com_nomes, desde from calendar_feed` },
      student: { 'link-do-calendario': `select desde from student_calendars where id = $1` },
    },
    errors: calendarLinkErrors,
  };
}
