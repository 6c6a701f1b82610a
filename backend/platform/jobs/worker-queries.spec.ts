import { expect, it } from '@jest/globals';
import type pg from 'pg';
import { WorkerQueries } from './worker-queries.js';

const MOVE_TO_ACTIVE = 'SELECT * FROM move_to_active($1, $2, $3, $4, $5, $6, $7);';
const COMPLETE_AND_FETCH = `SELECT * FROM move_to_completed_fetch(
  $1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9, $10, $11, $12, $13);`;
const NEXT_SIGNAL = 'SELECT rate_limit_ttl, next_delay FROM next_signal($1, $2, $3);';
const HAS_WAITING = 'SELECT EXISTS(SELECT 1 FROM job WHERE queue = $1) AS present;';
const NEXT_DELAY = 'SELECT next_delay($1) AS next_delay;';
const FAIL = 'SELECT * FROM move_to_failed_fetch($1, $2, $3);';

/** A worker on a queue with jobs that Postgres tells of, and the statements that reach Postgres. */
function worker({ waiting = [] as string[], delayedUntil = 0 } = {}) {
  const queue = { waiting, delayedUntil, announced: 0, isActive: true };
  const sent: string[] = [];
  const answer = (text: string) => {
    if (text.includes('as claimed')) {
      const ready = Math.min(queue.waiting.length, 2);
      const id = queue.waiting.shift() ?? null;
      return { rows: [{ id, ready, next_due: queue.delayedUntil ? String(queue.delayedUntil) : null }] };
    }
    if (text.includes('delete from job')) return { rows: [], rowCount: queue.isActive ? 1 : 0 };
    return { rows: [{ from: 'Postgres' }] };
  };
  const query = (given: string | { text: string }) => {
    const text = typeof given === 'string' ? given : given.text;
    const [, name] = /(move_to_\w+|delete from job|next_\w+(?=\()|AS present)/.exec(text) ?? [];
    sent.push(name ?? text);
    return Promise.resolve(answer(text));
  };
  const queries = new WorkerQueries({ query } as unknown as pg.Pool, () => queue.announced);
  const claim = async () =>
    (await queries.query(MOVE_TO_ACTIVE, ['mail', 'token', 30_000, Date.now(), null, null, null])).rows.map(
      ({ id }: { id: string }) => id,
    );
  const complete = async (isRemoved = true) =>
    (
      await queries.query(COMPLETE_AND_FETCH, [
        'mail',
        'job',
        'token',
        'null',
        0,
        isRemoved,
        null,
        null,
        30_000,
        Date.now(),
        null,
        null,
        null,
      ])
    ).rows.map(({ id }: { id: string }) => id);
  const ask = async (text: string) => (await queries.query(text, ['mail'])).rows[0] as unknown;
  return { queue, sent, claim, complete, ask };
}

it('after a claim that has left no job, nothing is asked until the next one is announced', async () => {
  const { queue, sent, claim, complete, ask } = worker({ waiting: ['a'] });
  expect(await claim()).toEqual(['a']);
  expect(await claim()).toEqual([]);
  expect(await ask(NEXT_SIGNAL)).toMatchObject({ rate_limit_ttl: 0, next_delay: null });
  expect(await ask(HAS_WAITING)).toMatchObject({ present: false });
  expect(await ask(NEXT_DELAY)).toMatchObject({ next_delay: null });
  expect(await complete()).toEqual([]);
  expect(sent).toEqual(['move_to_active', 'delete from job']);
  queue.waiting.push('b');
  queue.announced += 1;
  expect(await claim()).toEqual(['b']);
});

it('a claim that has left a job is followed by another one', async () => {
  const { claim, complete } = worker({ waiting: ['a', 'b', 'c'] });
  expect(await claim()).toEqual(['a']);
  expect(await claim()).toEqual(['b']);
  expect(await complete()).toEqual(['c']);
  expect(await claim()).toEqual([]);
});

it('a worker that has waited asks, whether a job was announced or not', async () => {
  const { queue, claim, ask } = worker();
  expect(await claim()).toEqual([]);
  await ask(HAS_WAITING);
  queue.waiting.push('not announced');
  expect(await claim()).toEqual(['not announced']);
});

it('nothing is known while nobody listens, nor of a job announced while a claim was on its way', async () => {
  const { queue, sent, claim, ask } = worker();
  queue.announced = Number.NaN;
  await claim();
  await claim();
  expect(await ask(NEXT_SIGNAL)).toEqual({ from: 'Postgres' });
  queue.announced = 1;
  const claiming = claim();
  queue.announced = 2;
  await claiming;
  await claim();
  expect(sent.filter((each) => each === 'move_to_active')).toHaveLength(4);
});

it('a delayed job is asked for once its delay has passed', async () => {
  const soon = Date.now() + 60_000;
  const { queue, sent, claim, ask } = worker({ delayedUntil: soon });
  await claim();
  expect(await ask(NEXT_SIGNAL)).toMatchObject({ next_delay: soon });
  await claim();
  expect(sent).toEqual(['move_to_active']);
  queue.delayedUntil = Date.now() - 1;
  queue.announced += 1;
  await claim();
  await claim();
  expect(sent).toEqual(Array(3).fill('move_to_active'));
});

it('what may have delayed a job makes the worker ask again', async () => {
  const { sent, claim, ask } = worker();
  await claim();
  await ask(FAIL);
  await claim();
  expect(sent).toEqual(['move_to_active', 'move_to_failed_fetch', 'move_to_active']);
});

it('a job that is kept when it is done, or that another worker has taken, is ended as BullMQ does', async () => {
  const { queue, sent, complete } = worker();
  await complete(false);
  queue.isActive = false;
  await complete();
  expect(sent).toEqual(['move_to_completed', 'move_to_active', 'delete from job', 'move_to_completed']);
});
