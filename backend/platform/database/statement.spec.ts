import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Blanks, statement } from './statement.js';

it('is built once, and filled in for each read', () => {
  let built = 0;
  const late = statement((db, { id, at }: Blanks<{ id: string; at: Date | null }>) => {
    built += 1;
    return db
      .selectFrom('sessions')
      .select(sql<boolean>`fim > ${at}`.as('late'))
      .where('status', '=', 'agendada')
      .where('id', '=', id)
      .compile();
  });
  const at = new Date();
  const [first, second] = [late({ id: 'a', at }), late({ id: 'b', at: null })];
  expect(first.sql).toBe('select fim > $1 as "late" from "sessions" where "status" = $2 and "id" = $3');
  expect([first.parameters, second.parameters, built]).toEqual([
    [at, 'agendada', 'a'],
    [null, 'agendada', 'b'],
    1,
  ]);
});
