import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

export type OtherCalendarEvent =
  /** The pasted address, which is a secret of the trainer. */
  | { type: 'OtherCalendarLinked'; data: { calendar_id: string; link_ics: string | null } }
  | { type: 'OtherCalendarUnlinked'; data: { calendar_id: string } };

export interface OtherCalendarState {
  calendar_id: string | null;
  link_ics: string | null;
  linked: boolean;
}

const personal: PersonalFields<{ link_ics: string | null }> = {
  person: (_data, tenantId) => tenantId,
  fields: ['link_ics'],
};

/** The calendar that blocks times; the stream's id is the tenant's. */
export const otherCalendar: Aggregate<OtherCalendarState, OtherCalendarEvent> = {
  name: 'other-calendar',
  initialState: { calendar_id: null, link_ics: null, linked: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'OtherCalendarLinked':
        return { calendar_id: data.calendar_id, link_ics: data.link_ics, linked: true };
      case 'OtherCalendarUnlinked':
        return { ...state, linked: false };
    }
  },
  events: {
    OtherCalendarLinked: { schemaVersion: 1, personal },
    OtherCalendarUnlinked: { schemaVersion: 1 },
  },
};

/** Replaces the previous calendar. */
export function decideLink(
  state: OtherCalendarState,
  calendar_id: string,
  link_ics: string,
): OtherCalendarEvent[] {
  if (state.linked && state.link_ics === link_ics) return [];
  return [{ type: 'OtherCalendarLinked', data: { calendar_id, link_ics } }];
}

export function decideUnlink({ linked, calendar_id }: OtherCalendarState): OtherCalendarEvent[] {
  return linked && calendar_id !== null ? [{ type: 'OtherCalendarUnlinked', data: { calendar_id } }] : [];
}

/** Undoes the last unlinking. */
export function decideRelink({ linked, calendar_id, link_ics }: OtherCalendarState): OtherCalendarEvent[] {
  if (calendar_id === null || link_ics === null) throw new Problem('other_calendar.none');
  return linked ? [] : [{ type: 'OtherCalendarLinked', data: { calendar_id, link_ics } }];
}
