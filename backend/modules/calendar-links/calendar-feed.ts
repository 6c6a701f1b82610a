import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { type Address, type Addresses, formerAddress, refuseOther, replaced } from './addresses.js';
import type { FeedSettings, FormerFeed } from './calendar-links.api.js';

export type CalendarFeedEvent =
  /** A new address, which replaces the previous one. */
  | { type: 'CalendarFeedOpened'; data: Address & { com_nomes: boolean } }
  | { type: 'CalendarFeedChanged'; data: { feed_id: string; com_nomes: boolean } }
  | { type: 'CalendarFeedRevoked'; data: { feed_id: string } }
  /** A former address is the current one again. */
  | { type: 'CalendarFeedRestored'; data: Address & { com_nomes: boolean } };

export type CalendarFeedState = Addresses<Address & { com_nomes: boolean }>;

/** The address of a trainer's calendar; the stream's id is the tenant's. */
export const calendarFeed: Aggregate<CalendarFeedState, CalendarFeedEvent> = {
  name: 'calendar-feed',
  initialState: { current: null, former: [] },
  evolve(state, { type, data }) {
    switch (type) {
      case 'CalendarFeedOpened':
      case 'CalendarFeedRestored': {
        const { feed_id, token_hash, com_nomes } = data;
        return replaced(state, { feed_id, token_hash, com_nomes });
      }
      case 'CalendarFeedChanged':
        return { ...state, current: state.current && { ...state.current, com_nomes: data.com_nomes } };
      case 'CalendarFeedRevoked':
        return replaced(state, null);
    }
  },
  events: {
    CalendarFeedOpened: { schemaVersion: 1 },
    CalendarFeedChanged: { schemaVersion: 1 },
    CalendarFeedRevoked: { schemaVersion: 1 },
    CalendarFeedRestored: { schemaVersion: 1 },
  },
};

/** Switches the feed on with `address`, or changes what the current address shows. */
export function decideSet(
  state: CalendarFeedState,
  address: Address,
  { com_nomes, id }: FeedSettings,
): CalendarFeedEvent[] {
  const { current } = state;
  if (id !== undefined) refuseOther(state, id);
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

/** Undoes an activation, a renewal or a revocation. */
export function decideRestore(state: CalendarFeedState, wanted: FormerFeed): CalendarFeedEvent[] {
  const feed = formerAddress(state, wanted);
  if (feed === null) return decideRevoke(state);
  return feed ? [{ type: 'CalendarFeedRestored', data: feed }] : [];
}
