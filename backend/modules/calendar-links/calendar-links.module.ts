import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import {
  SetCalendarFeed,
  RenewCalendarFeed,
  RestoreCalendarFeed,
  RevokeCalendarFeed,
} from './calendar-feed.commands.js';
import { calendarFeed, type CalendarFeedEvent } from './calendar-feed.js';
import { calendarFeedApi, studentCalendarApi, calendarLinkErrors } from './calendar-links.api.js';
import { calendarFeedTokens, studentCalendarTokens } from './calendar-links.guard.js';
import { type StudentCalendarEvent, studentCalendar } from './student-calendar.js';
import { calendarFeeds, studentCalendars } from './calendar-links.projection.js';
import { ShowCalendarFeed, ShowStudentCalendar } from './calendar-links.queries.js';
import {
  OpenStudentCalendar,
  RenewStudentCalendar,
  RestoreStudentCalendar,
  RevokeStudentCalendar,
} from './student-calendar.commands.js';

const subjects = (_data: never, tenantId: string) => [`calendar:${tenantId}`];
const names = ({ com_nomes }: { com_nomes: boolean }) => (com_nomes ? 'com nomes' : 'sem nomes');

const ofStudent = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string) => ({ subjects: ofStudent, words: () => words });

const calendarLinksHistory: HistoryWords<CalendarFeedEvent | StudentCalendarEvent> = {
  CalendarFeedOpened: {
    subjects,
    words: (data: { com_nomes: boolean }) => `Gerou um link do calendário, ${names(data)}`,
  },
  CalendarFeedChanged: {
    subjects,
    words: (data: { com_nomes: boolean }) => `Mudou o link do calendário: ${names(data)}`,
  },
  CalendarFeedRevoked: { subjects, words: () => 'Desativou o link do calendário' },
  CalendarFeedRestored: { subjects, words: () => 'Voltou ao link anterior do calendário' },
  StudentCalendarOpened: said('Gerou um link do calendário das aulas'),
  StudentCalendarRevoked: said('Desativou o link do calendário das aulas'),
  StudentCalendarRestored: said('Voltou ao link anterior do calendário das aulas'),
};

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
