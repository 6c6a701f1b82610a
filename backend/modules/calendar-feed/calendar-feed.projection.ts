import { rowProjection } from '../../platform/projections/projection.js';
import type { SessionEvent } from '../agenda/session.js';
import type { CalendarFeedEvent } from './calendar-feed.js';

interface FeedRow {
  feed_id: string;
  com_nomes: boolean;
  desde: Date;
}

/** The address in force, under the tenant's id. */
export const calendarFeeds = rowProjection<FeedRow>({
  name: 'calendar-feed',
  topic: 'calendar',
  table: 'calendar_feed',
  events: [
    'CalendarFeedOpened',
    'CalendarFeedChanged',
    'CalendarFeedRevoked',
    'CalendarFeedRestored',
  ] satisfies CalendarFeedEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(row, event) {
    const { type, data } = event as unknown as CalendarFeedEvent;
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

interface Revision {
  /** Number of the session's changes: what iCalendar calls SEQUENCE. */
  revisao: number;
  alterada_em: Date;
  marcada_em: Date;
}

/** Whether the event gives the session its time; without one here, a new kind of event does not compile. */
const givesTime = {
  SessionBooked: true,
  SessionRescheduled: true,
  SessionReopened: true,
  SessionRestored: true,
  SessionGrouped: false,
  SessionChanged: false,
  SessionCompleted: false,
  SessionCancelled: false,
  SessionDeleted: false,
} satisfies Record<SessionEvent['type'], boolean>;

/** How often each session changed and when: from the stream's version, so that a rebuild gives the same. */
export const sessionRevisions = rowProjection<Revision>({
  name: 'session-revisions',
  topic: 'sessions',
  table: 'session_revisions',
  events: Object.keys(givesTime),
  keys: ({ data }) => [data.session_id as string],
  evolve: (row, { type, version, recordedAt }) => ({
    revisao: version - 1,
    alterada_em: recordedAt,
    marcada_em: row && !givesTime[type as SessionEvent['type']] ? row.marcada_em : recordedAt,
  }),
});
