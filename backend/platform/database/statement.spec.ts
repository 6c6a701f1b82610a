import { sql } from 'kysely';
import { expect, it } from '@jest/globals';
import { type Blanks, sameTenant, statement } from './statement.js';

it('is compiled once, and filled in for each read', () => {
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

it('is compiled once for each set of parameters that have a value', () => {
  let built = 0;
  const sessions = statement(
    (db, { id, from }: Blanks<{ id?: string | undefined; from?: Date | undefined }>) => {
      built += 1;
      return db
        .selectFrom('sessions')
        .select('id')
        .$if(id !== undefined, (found) => found.where('id', '=', id!))
        .$if(from !== undefined, (found) => found.where('inicio', '>=', from!))
        .compile();
    },
  );
  const from = new Date();
  const asked = [{}, { id: 'a' }, { from, id: undefined }, { id: 'a', from }, { id: 'b', from: undefined }];
  expect(asked.map((values) => sessions(values)).map(({ sql, parameters }) => [sql, parameters])).toEqual([
    ['select "id" from "sessions"', []],
    ['select "id" from "sessions" where "id" = $1', ['a']],
    ['select "id" from "sessions" where "inicio" >= $1', [from]],
    ['select "id" from "sessions" where "id" = $1 and "inicio" >= $2', ['a', from]],
    ['select "id" from "sessions" where "id" = $1', ['b']],
  ]);
  expect(built).toBe(4);
});

it('joins only rows of the same tenant', () => {
  const named = statement((db) =>
    db
      .selectFrom('sessions as s')
      .leftJoin('students as a', (join) => sameTenant(join, 'a.id', 's.student_id'))
      .select('a.nome')
      .compile(),
  );
  expect(named({}).sql).toContain('on "a"."tenant_id" = "s"."tenant_id" and "a"."id" = "s"."student_id"');
});
