import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import type { Address } from './addresses.js';
import type { FeedSettings, FormerFeed } from './calendar-feed.api.js';
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

export const SetCalendarFeed = defineCommand(
  'SetCalendarFeed',
  (tx, address: Address, settings: FeedSettings) =>
    change(tx, (state) => decideSet(state, address, settings)),
);

export const RenewCalendarFeed = defineCommand('RenewCalendarFeed', (tx, address: Address) =>
  change(tx, (state) => decideRenew(state, address)),
);

export const RevokeCalendarFeed = defineCommand('RevokeCalendarFeed', (tx) => change(tx, decideRevoke));

export const RestoreCalendarFeed = defineCommand('RestoreCalendarFeed', (tx, former: FormerFeed) =>
  change(tx, (state) => decideRestore(state, former)),
);
