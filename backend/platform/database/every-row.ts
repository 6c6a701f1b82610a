/** Rows that are read with one query. */
const AT_ONCE = 500;

/**
 * Iterates over a long list in pages: `read` returns up to `limit` rows that follow `last`. Each page is a query of its own, so that
 * no connection is held during a slow download. An error of the first page rejects this call, later ones the iteration.
 */
export async function everyRow<Row>(
  read: (limit: number, last: Row | undefined) => Promise<Row[]>,
): Promise<AsyncGenerator<Row>> {
  const first = await read(AT_ONCE, undefined);
  return (async function* () {
    for (let rows = first; ; rows = await read(AT_ONCE, rows.at(-1))) {
      yield* rows;
      if (rows.length < AT_ONCE) return;
    }
  })();
}
