import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

export type OtherCalendarEvent =
  /** The pasted address, which is a secret of the trainer. */
  | { type: 'OtherCalendarLinked'; data: { calendar_id: string; link_ics: string | null } }
  | { type: 'OtherCalendarUnlinked'; data: { calendar_id: string } }
  /** It could not be read since then, for so long that the trainer is told. */
  | { type: 'OtherCalendarStopped'; data: { calendar_id: string; desde: string } }
  | { type: 'OtherCalendarResumed'; data: { calendar_id: string } };

export interface OtherCalendarState {
  calendar_id: string | null;
  link_ics: string | null;
  linked: boolean;
  stopped: boolean;
}

const personal: PersonalFields<{ link_ics: string | null }> = {
  person: (_data, tenantId) => tenantId,
  fields: ['link_ics'],
};

/** The calendar that blocks times; the stream's id is the tenant's. */
export const otherCalendar: Aggregate<OtherCalendarState, OtherCalendarEvent> = {
  name: 'other-calendar',
  initialState: { calendar_id: null, link_ics: null, linked: false, stopped: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'OtherCalendarLinked':
        return { calendar_id: data.calendar_id, link_ics: data.link_ics, linked: true, stopped: false };
      case 'OtherCalendarUnlinked':
        return { ...state, linked: false };
      case 'OtherCalendarStopped':
        return { ...state, stopped: true };
      case 'OtherCalendarResumed':
        return { ...state, stopped: false };
    }
  },
  events: {
    OtherCalendarLinked: { schemaVersion: 1, personal },
    OtherCalendarUnlinked: { schemaVersion: 1 },
    OtherCalendarStopped: { schemaVersion: 1 },
    OtherCalendarResumed: { schemaVersion: 1 },
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

/** `since`: since when the calendar cannot be read; null: it can. */
export function decideReport(
  { linked, calendar_id, stopped }: OtherCalendarState,
  id: string,
  since: string | null,
): OtherCalendarEvent[] {
  if (!linked || calendar_id !== id || stopped === (since !== null)) return [];
  return since === null
    ? [{ type: 'OtherCalendarResumed', data: { calendar_id: id } }]
    : [{ type: 'OtherCalendarStopped', data: { calendar_id: id, desde: since } }];
}
