import type { Waiting } from './outbox.js';

interface Effects<Item> {
  /** The item that a write makes; null where it makes one of another kind. */
  makes: (write: Waiting) => Item | null;
  /** The item as a write leaves it; null where it is gone. */
  changes: (item: Item, write: Waiting) => Item | null;
}

/** The writes that are shown as done: not those that wait for a decision of the person. */
export const inEffect = (writes: readonly Waiting[]): Waiting[] => writes.filter(({ held }) => !held);

/** An item of the server with the writes to it done, one after the other; null where one removes it. */
export function changedBy<Item extends { id: string }>(
  item: Item,
  writes: readonly Waiting[],
  changes: Effects<Item>['changes'],
): Item | null {
  return inEffect(writes)
    .filter(({ subject, makes }) => subject === item.id && !makes)
    .reduce<Item | null>((left, write) => left && changes(left, write), item);
}

/** A list of the server as it will be once what was done on this device has arrived: what it makes comes last. */
export function pendingOver<Item extends { id: string }>(
  items: readonly Item[],
  writes: readonly Waiting[],
  { makes, changes }: Effects<Item>,
): Item[] {
  const made = inEffect(writes).flatMap((write) => (write.makes && makes(write)) || []);
  return [...items, ...made].flatMap((item) => changedBy(item, writes, changes) ?? []);
}
