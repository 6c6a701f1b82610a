import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maps many items, one after the other, so many in one turn of the event loop: other requests go on in between. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % atOnce === 0) await nextTurn();
    results.push(await map(item));
  }
  return results;
}
