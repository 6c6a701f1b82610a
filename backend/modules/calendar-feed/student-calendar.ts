import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { type Address, type Addresses, formerAddress, replaced } from './addresses.js';
import type { FormerFeed } from './calendar-feed.api.js';

interface Whose {
  student_id: string;
}

export type StudentCalendarEvent =
  /** The address in force from now on; the one before it ends. */
  | { type: 'StudentCalendarOpened'; data: Whose & Address }
  | { type: 'StudentCalendarRevoked'; data: Whose & { feed_id: string } }
  /** A former address is in force again. */
  | { type: 'StudentCalendarRestored'; data: Whose & Address };

/** Only who has an account opens one, and the invite that was accepted for it uses the student. */
const ofStudent = { schemaVersion: 1, uses: 'nothing new' } as const;

/** The address under which a student follows the own sessions; the stream's id is the student's. */
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

/** Nothing where one is in force. */
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

/** Undoes a renewal or a revocation. */
export function decideRestoreOwn(
  state: Addresses,
  student_id: string,
  wanted: FormerFeed,
): StudentCalendarEvent[] {
  const address = formerAddress(state, wanted);
  return address ? [{ type: 'StudentCalendarRestored', data: { student_id, ...address } }] : [];
}
