/** Rows that are read at once. */
const AT_ONCE = 500;

/**
 * All rows of a long list, a few at a time: `read` answers up to `limit` rows that follow `last`. Each read is one of its own, so
 * that nothing is held while somebody takes a file slowly. What fails at the start fails here.
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
