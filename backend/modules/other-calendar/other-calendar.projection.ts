import { rowProjection } from '../../platform/projections/projection.js';
import type { OtherCalendarEvent } from './other-calendar.js';

interface OtherCalendarRow {
  calendar_id: string;
  link_ics: string | null;
  desde: Date;
  parado_desde: Date | null;
}

/** The connected calendar, under the tenant's id. */
export const otherCalendars = rowProjection<OtherCalendarRow>({
  name: 'other-calendar',
  version: 2,
  topic: 'calendar',
  table: 'other_calendar',
  events: [
    'OtherCalendarLinked',
    'OtherCalendarUnlinked',
    'OtherCalendarStopped',
    'OtherCalendarResumed',
  ] satisfies OtherCalendarEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(row, event) {
    const { type, data } = event as unknown as OtherCalendarEvent;
    switch (type) {
      case 'OtherCalendarLinked':
        return {
          ...{ calendar_id: data.calendar_id, link_ics: data.link_ics, desde: event.recordedAt },
          parado_desde: null,
        };
      case 'OtherCalendarUnlinked':
        return null;
      case 'OtherCalendarStopped':
        return row ? { ...row, parado_desde: new Date(data.desde) } : null;
      case 'OtherCalendarResumed':
        return row ? { ...row, parado_desde: null } : null;
    }
  },
});
