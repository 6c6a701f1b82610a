import { rowProjection } from '../../platform/projections/projection.js';
import type { OtherCalendarEvent } from './other-calendar.js';

interface OtherCalendarRow {
  calendar_id: string;
  link_ics: string | null;
  desde: Date;
}

/** The connected calendar, under the tenant's id. */
export const otherCalendars = rowProjection<OtherCalendarRow>({
  name: 'other-calendar',
  topic: 'calendar',
  table: 'other_calendar',
  events: ['OtherCalendarLinked', 'OtherCalendarUnlinked'] satisfies OtherCalendarEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(_row, event) {
    const { type, data } = event as unknown as OtherCalendarEvent;
    switch (type) {
      case 'OtherCalendarLinked':
        return { calendar_id: data.calendar_id, link_ics: data.link_ics, desde: event.recordedAt };
      case 'OtherCalendarUnlinked':
        return null;
    }
  },
});
