import { safeParse, type $ZodType, type output } from 'zod/v4/core';
import { Problem } from './problem.js';

/** Encodes the last row of a page as an opaque cursor. */
export function encodeCursor(place: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/**
 * Decodes a cursor of `encodeCursor` and checks it against `schema`, because anyone can forge one.
 * @throws Problem `validation` naming `/cursor`
 */
export function decodeCursor<Schema extends $ZodType>(schema: Schema, cursor: string): output<Schema> {
  const result = safeParse(schema, parse(cursor));
  if (!result.success) {
    throw new Problem('validation', { errors: [{ pointer: '/cursor', detail: 'Cursor inválido' }] });
  }
  return result.data;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** One page of the `limit + 1` rows that were asked for; the id of its last row is the cursor of the next page. */
export function pageOf<Row extends { id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit);
  return { items: shown.map(show), next: rows.length > limit ? shown.at(-1)!.id : null };
}
