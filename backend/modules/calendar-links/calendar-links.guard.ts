import type { Guard } from '../../platform/event-store/guard.js';
import type { CalendarFeedEvent } from './calendar-feed.js';
import type { StudentCalendarEvent } from './student-calendar.js';

/** The trainer's current address, by the hash of its token. */
export const calendarFeedTokens: Guard = {
  name: 'calendar-feed-tokens',
  tables: ['calendar_feed_tokens'],
  events: [
    'CalendarFeedOpened',
    'CalendarFeedChanged',
    'CalendarFeedRevoked',
    'CalendarFeedRestored',
  ] satisfies CalendarFeedEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as CalendarFeedEvent;
    switch (type) {
      case 'CalendarFeedOpened':
      case 'CalendarFeedRestored':
        return [
          {
            text: `insert into calendar_feed_tokens (tenant_id, feed_id, token_hash, com_nomes)
              values ($1, $2, decode($3, 'hex'), $4) on conflict (tenant_id) do update
              set feed_id = excluded.feed_id, token_hash = excluded.token_hash, com_nomes = excluded.com_nomes`,
            values: [tenantId, data.feed_id, data.token_hash, data.com_nomes],
          },
        ];
      case 'CalendarFeedChanged':
        return [
          {
            text: 'update calendar_feed_tokens set com_nomes = $2 where tenant_id = $1',
            values: [tenantId, data.com_nomes],
          },
        ];
      case 'CalendarFeedRevoked':
        return [{ text: 'delete from calendar_feed_tokens where tenant_id = $1', values: [tenantId] }];
    }
  },
  violations: {},
};

/** Students' current addresses, by the hash of their tokens. */
export const studentCalendarTokens: Guard = {
  name: 'student-calendar-tokens',
  tables: ['student_calendar_tokens'],
  events: [
    'StudentCalendarOpened',
    'StudentCalendarRevoked',
    'StudentCalendarRestored',
  ] satisfies StudentCalendarEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as StudentCalendarEvent;
    switch (type) {
      case 'StudentCalendarOpened':
      case 'StudentCalendarRestored':
        return [
          {
            text: `insert into student_calendar_tokens (tenant_id, student_id, feed_id, token_hash)
              values ($1, $2, $3, decode($4, 'hex')) on conflict (tenant_id, student_id) do update
              set feed_id = excluded.feed_id, token_hash = excluded.token_hash`,
            values: [tenantId, data.student_id, data.feed_id, data.token_hash],
          },
        ];
      case 'StudentCalendarRevoked':
        return [
          {
            text: 'delete from student_calendar_tokens where tenant_id = $1 and student_id = $2',
            values: [tenantId, data.student_id],
          },
        ];
    }
  },
  violations: {},
};
