import { stateProjection } from '../../platform/projections/projection.js';
import { studentCalendar } from './student-calendar.js';
import { calendarFeed } from './calendar-feed.js';

interface FeedRow {
  feed_id: string;
  com_nomes: boolean;
  desde: Date;
}

/** The trainer's current address, under the tenant's id. */
export const calendarFeeds = stateProjection(calendarFeed, {
  name: 'calendar-feed',
  topic: 'calendar',
  table: 'calendar_feed',
  evolve(row: FeedRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'CalendarFeedOpened':
      case 'CalendarFeedRestored':
        return { feed_id: data.feed_id, com_nomes: data.com_nomes, desde: event.recordedAt };
      case 'CalendarFeedChanged':
        return row ? { ...row, com_nomes: data.com_nomes } : null;
      case 'CalendarFeedRevoked':
        return null;
    }
  },
});

/** Students' current addresses, under the students' ids. */
export const studentCalendars = stateProjection(studentCalendar, {
  name: 'student-calendar',
  topic: 'student-calendar',
  table: 'student_calendars',
  students: ({ student_id }) => [student_id as string],
  evolve(_row: Omit<FeedRow, 'com_nomes'> | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'StudentCalendarOpened':
      case 'StudentCalendarRestored':
        return { feed_id: data.feed_id, desde: event.recordedAt };
      case 'StudentCalendarRevoked':
        return null;
    }
  },
});
