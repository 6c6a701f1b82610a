import type { Waiting } from './outbox.js';

interface Effects<Item> {
  /** The item that a write creates; null if it creates an item of another kind. */
  makes: (write: Waiting) => Item | null;
  /** The item after a write; null if that removes it. */
  changes: (item: Item, write: Waiting) => Item | null;
}

/** Writes that are shown as done: all but the held ones. */
export const inEffect = (writes: readonly Waiting[]): Waiting[] => writes.filter(({ held }) => !held);

/** Applies the queued writes to an item of the server; null if one removes it. */
export function changedBy<Item extends { id: string }>(
  item: Item,
  writes: readonly Waiting[],
  changes: Effects<Item>['changes'],
): Item | null {
  return inEffect(writes)
    .filter(({ subject, makes }) => subject === item.id && !makes)
    .reduce<Item | null>((left, write) => left && changes(left, write), item);
}

/** Applies the queued writes to a list of the server; created items come last. */
export function pendingOver<Item extends { id: string }>(
  items: readonly Item[],
  writes: readonly Waiting[],
  { makes, changes }: Effects<Item>,
): Item[] {
  const made = inEffect(writes).flatMap((write) => (write.makes && makes(write)) || []);
  return [...items, ...made].flatMap((item) => changedBy(item, writes, changes) ?? []);
}

/** The data of an unsent edit that a page shows. */
export interface MaybePending {
  pendente?: boolean;
}

/** An item of the server with its queued edits of one kind applied: their fields replace its own. */
export const withEdits = <Item extends { id: string }>(
  item: Item,
  writes: readonly Waiting[],
  effect: string,
): Item & MaybePending =>
  changedBy<Item & MaybePending>(item, writes, (edited, write) =>
    write.effect === effect ? { ...edited, ...write.body, pendente: !write.sending } : edited,
  ) ?? item;
