import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type pg from 'pg';
import { runBatch } from '../../backend/platform/database/batch.js';
import { newClient } from '../../backend/platform/database/pools.js';
import { testDatabase } from '../support/database.js';

let client: pg.Client;

beforeEach(async () => {
  const { environment } = await testDatabase();
  client = newClient(environment.DATABASE_OWNER_URL, { searchPath: 'public', applicationName: 'test' });
  await client.connect();
});

afterEach(() => client.end());

const run = async (...statements: [text: string, ...values: unknown[]][]) => {
  const rows = await runBatch(
    client,
    statements.map(([text, ...values]) => ({ text, values })),
  );
  return rows as unknown[][];
};
const failure = (...statements: [text: string][]) =>
  run(...statements).catch((error: Error) => error.message);

it('returns the rows of each statement, with the same types as a single statement', async () => {
  const twice = () =>
    run(
      ['select 7::int8 as cents, $1::date as day', '2026-02-28'],
      ['set local work_mem to 64'],
      ['select n from generate_series(1, $1) n', 3],
      ['select n from generate_series(1, $1) n', 1],
    );
  const answers = [[{ cents: 7, day: '2026-02-28' }], [], [{ n: 1 }, { n: 2 }, { n: 3 }], [{ n: 1 }]];
  expect(await twice()).toEqual(answers);
  expect(await twice()).toEqual(answers);
});

it('is one transaction, which changes nothing if one of its statements fails', async () => {
  await run(['create table if not exists batches (n integer)']);
  expect(await failure(['insert into batches values (1)'], ['select 1 / 0'])).toBe('division by zero');
  await run(['insert into batches values (2)'], [`select set_config('app.tenant', 'x', true)`]);
  const seen = await run(['select n from batches'], [`select current_setting('app.tenant') as tenant`]);
  expect(seen).toEqual([[{ n: 2 }], [{ tenant: '' }]]);
});

it.each(['select 1 / 0', 'select nothing'])(
  'prepares again the statements that failed because of "%s"',
  async (failing) => {
    const [first, last] = [['select 1 as one'], ['select 2 as two']] as [[string], [string]];
    const fails = await failure(first, [failing], last);
    expect(await failure(first, [failing], last)).toBe(fails);
    expect(await run(first, last)).toEqual([[{ one: 1 }], [{ two: 2 }]]);
  },
);

it('keeps its order among other queries of the connection', async () => {
  const answers = await Promise.all([
    client.query('select 1 as n'),
    run(['select 2 as n'], ['select 3 as n']),
    failure(['select 1 / 0'], ['select 4 as n']),
    run(['select 4 as n']).catch((error: Error) => error.message),
    client.query('select 5 as n'),
  ]);
  const [first, second, third, , last] = answers;
  expect([first.rows, second, third, last.rows]).toEqual([
    [{ n: 1 }],
    [[{ n: 2 }], [{ n: 3 }]],
    'division by zero',
    [{ n: 5 }],
  ]);
});

it('refuses a statement whose columns have changed, and never reads them as the known ones', async () => {
  await run(['drop table if exists changing'], ['create table changing as select 1 as a, 2 as b']);
  const all = ['select * from changing'] as [string];
  expect(await run(all)).toEqual([[{ a: 1, b: 2 }]]);
  await run(['alter table changing drop column a']);
  expect(await failure(all)).toBe('cached plan must not change result type');
});

it('falls back to plain pg if an undocumented part of pg is missing', async () => {
  const { connection } = client as unknown as { connection: object };
  const sent: string[] = [];
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    sent.push((given[0] as { text?: string }).text ?? String(given[0]));
    return query(...given);
  }) as never;
  const incomplete = new Proxy(connection, {
    has: (target, part) => part !== 'parsedStatements' && part in target,
  });
  Object.defineProperty(client, 'connection', { value: incomplete, configurable: true });

  await run(['create temporary table plain (n integer)']);
  expect(await failure(['insert into plain values (1)'], ['select 1 / 0'])).toBe('division by zero');
  expect(await run(['insert into plain values (2)'], ['select n from plain'])).toEqual([[], [{ n: 2 }]]);
  await client.query('begin');
  await run(['insert into plain values (3)']);
  await client.query('rollback');
  expect(await run(['select n from plain'])).toEqual([[{ n: 2 }]]);
  expect(sent.filter((text) => text === 'begin')).toHaveLength(5);
});
