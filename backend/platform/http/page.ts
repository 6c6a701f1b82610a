/** One page of the `limit + 1` rows that were asked for; the id of its last row is the cursor of the next page. */
export function pageOf<Row extends { id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit);
  return { items: shown.map(show), next: rows.length > limit ? shown.at(-1)!.id : null };
}
