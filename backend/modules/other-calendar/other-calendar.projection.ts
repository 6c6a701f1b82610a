import { stateProjection } from '../../platform/projections/projection.js';
import { otherCalendar } from './other-calendar.js';

interface OtherCalendarRow {
  calendar_id: string;
  link_ics: string | null;
  desde: Date;
  parado_desde: Date | null;
}

/** The connected calendar, under the tenant's id. */
export const otherCalendars = stateProjection(otherCalendar, {
  name: 'other-calendar',
  version: 2,
  topic: 'calendar',
  table: 'other_calendar',
  evolve(row: OtherCalendarRow | undefined, event) {
    const { type, data } = event;
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
