import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { type Address, type Addresses, formerAddress, replaced } from './addresses.js';
import type { FormerFeed } from './calendar-links.api.js';

interface Whose {
  student_id: string;
}

export type StudentCalendarEvent =
  /** A new address, which replaces the previous one. */
  | { type: 'StudentCalendarOpened'; data: Whose & Address }
  | { type: 'StudentCalendarRevoked'; data: Whose & { feed_id: string } }
  /** A former address is the current one again. */
  | { type: 'StudentCalendarRestored'; data: Whose & Address };

/** Only a student with an account has a calendar, and the accepted invite already refers to the student. */
const ofStudent = { schemaVersion: 1, uses: 'nothing new' } as const;

/** The address of a student's calendar feed; the stream's id is the student's. */
export const studentCalendar: Aggregate<Addresses, StudentCalendarEvent> = {
  name: 'student-calendar',
  initialState: { current: null, former: [] },
  evolve(state, { type, data }) {
    switch (type) {
      case 'StudentCalendarOpened':
      case 'StudentCalendarRestored': {
        const { feed_id, token_hash } = data;
        return replaced(state, { feed_id, token_hash });
      }
      case 'StudentCalendarRevoked':
        return replaced(state, null);
    }
  },
  events: {
    StudentCalendarOpened: ofStudent,
    StudentCalendarRevoked: ofStudent,
    StudentCalendarRestored: ofStudent,
  },
};

/** No event if there is a current address. */
export function decideOpenOwn(
  { current }: Addresses,
  student_id: string,
  address: Address,
): StudentCalendarEvent[] {
  return current ? [] : [{ type: 'StudentCalendarOpened', data: { student_id, ...address } }];
}

export function decideRenewOwn(
  { current }: Addresses,
  student_id: string,
  address: Address,
): StudentCalendarEvent[] {
  if (!current) throw new Problem('calendar_feed.off');
  return [{ type: 'StudentCalendarOpened', data: { student_id, ...address } }];
}

export function decideRevokeOwn({ current }: Addresses, student_id: string): StudentCalendarEvent[] {
  return current ? [{ type: 'StudentCalendarRevoked', data: { student_id, feed_id: current.feed_id } }] : [];
}

/** Undoes an activation, a renewal or a revocation. */
export function decideRestoreOwn(
  state: Addresses,
  student_id: string,
  wanted: FormerFeed,
): StudentCalendarEvent[] {
  const address = formerAddress(state, wanted);
  if (address === null) return decideRevokeOwn(state, student_id);
  return address ? [{ type: 'StudentCalendarRestored', data: { student_id, ...address } }] : [];
}
