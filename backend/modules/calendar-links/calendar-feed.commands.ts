import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import type { Address } from './addresses.js';
import type { FeedSettings, FormerFeed } from './calendar-links.api.js';
import {
  calendarFeed,
  type CalendarFeedEvent,
  type CalendarFeedState,
  decideRenew,
  decideRestore,
  decideRevoke,
  decideSet,
} from './calendar-feed.js';

async function change(tx: CommandTransaction, decide: (state: CalendarFeedState) => CalendarFeedEvent[]) {
  const id = tx.context.tenantId;
  const before = await tx.load(calendarFeed, id);
  tx.append(calendarFeed, id, decide(before));
  const { current } = await tx.load(calendarFeed, id);
  const was = before.current?.feed_id ?? null;
  return { id: current?.feed_id ?? id, anterior: was === current?.feed_id ? null : was };
}

/** A fresh address for a trainer's or a student's calendar. */
export function newAddress(tokens: LinkTokens, purpose: 'calendar-feed' | 'student-calendar'): Address {
  const feed_id = randomUUID();
  return { feed_id, token_hash: tokens.storedHashOf(purpose, feed_id) };
}

export const SetCalendarFeed = defineCommand(
  'SetCalendarFeed',
  { tokens: LinkTokens },
  (tx, { tokens }, settings: FeedSettings) =>
    change(tx, (state) => decideSet(state, newAddress(tokens, 'calendar-feed'), settings)),
);

export const RenewCalendarFeed = defineCommand(
  'RenewCalendarFeed',
  { tokens: LinkTokens },
  (tx, { tokens }) => change(tx, (state) => decideRenew(state, newAddress(tokens, 'calendar-feed'))),
);

export const RevokeCalendarFeed = defineCommand('RevokeCalendarFeed', (tx) => change(tx, decideRevoke));

export const RestoreCalendarFeed = defineCommand('RestoreCalendarFeed', (tx, former: FormerFeed) =>
  change(tx, (state) => decideRestore(state, former)),
);
