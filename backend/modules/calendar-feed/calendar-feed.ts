import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

/** `token_hash` is the SHA-256 of the address's token, in hexadecimal: the token itself is never kept. */
interface Address {
  feed_id: string;
  token_hash: string;
}

export type CalendarFeedEvent =
  /** The address in force from now on; the one before it ends. */
  | { type: 'CalendarFeedOpened'; data: Address & { com_nomes: boolean } }
  | { type: 'CalendarFeedChanged'; data: { feed_id: string; com_nomes: boolean } }
  | { type: 'CalendarFeedRevoked'; data: { feed_id: string } }
  /** A former address is in force again. */
  | { type: 'CalendarFeedRestored'; data: Address & { com_nomes: boolean } };

interface Feed extends Address {
  com_nomes: boolean;
}

export interface CalendarFeedState {
  current: Feed | null;
  /** The newest last. */
  former: readonly Feed[];
}

/** Former addresses that can be brought back. */
const REMEMBERED = 20;

/** The address of a trainer's calendar; the stream's id is the tenant's. */
export const calendarFeed: Aggregate<CalendarFeedState, CalendarFeedEvent> = {
  name: 'calendar-feed',
  initialState: { current: null, former: [] },
  evolve(state, { type, data }) {
    const former = state.current ? [...state.former, state.current].slice(-REMEMBERED) : state.former;
    switch (type) {
      case 'CalendarFeedOpened':
      case 'CalendarFeedRestored': {
        const { feed_id, token_hash, com_nomes } = data;
        return {
          current: { feed_id, token_hash, com_nomes },
          former: former.filter((feed) => feed.feed_id !== feed_id),
        };
      }
      case 'CalendarFeedChanged':
        return { ...state, current: state.current && { ...state.current, com_nomes: data.com_nomes } };
      case 'CalendarFeedRevoked':
        return { current: null, former };
    }
  },
  events: {
    CalendarFeedOpened: { schemaVersion: 1 },
    CalendarFeedChanged: { schemaVersion: 1 },
    CalendarFeedRevoked: { schemaVersion: 1 },
    CalendarFeedRestored: { schemaVersion: 1 },
  },
};

/** Switches it on under `address`, or changes what the address in force shows. */
export function decideSet(
  { current }: CalendarFeedState,
  address: Address,
  com_nomes: boolean,
): CalendarFeedEvent[] {
  if (!current) return [{ type: 'CalendarFeedOpened', data: { ...address, com_nomes } }];
  if (current.com_nomes === com_nomes) return [];
  return [{ type: 'CalendarFeedChanged', data: { feed_id: current.feed_id, com_nomes } }];
}

export function decideRenew({ current }: CalendarFeedState, address: Address): CalendarFeedEvent[] {
  if (!current) throw new Problem('calendar_feed.off');
  return [{ type: 'CalendarFeedOpened', data: { ...address, com_nomes: current.com_nomes } }];
}

export function decideRevoke({ current }: CalendarFeedState): CalendarFeedEvent[] {
  return current ? [{ type: 'CalendarFeedRevoked', data: { feed_id: current.feed_id } }] : [];
}

/** Undoes a renewal or a revocation. */
export function decideRestore({ current, former }: CalendarFeedState, id: string): CalendarFeedEvent[] {
  if (current?.feed_id === id) return [];
  const feed = former.find(({ feed_id }) => feed_id === id);
  if (!feed) throw new Problem('calendar_feed.not_found');
  return [{ type: 'CalendarFeedRestored', data: feed }];
}
