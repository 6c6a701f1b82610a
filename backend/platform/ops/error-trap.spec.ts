import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ErrorTrap } from './error-trap.js';
import { Metrics } from './metrics.js';

const lines: unknown[][] = [];
let metrics: Metrics;
let trap: ErrorTrap;

beforeAll(() => {
  const note = (level: string) => (line: object) => void lines.push([level, line]);
  Logger.overrideLogger({ log: note('log'), warn: note('warn'), error: note('error') });
});
beforeEach(() => {
  lines.splice(0);
  metrics = new Metrics();
  trap = new ErrorTrap(metrics);
});

const counts = async () =>
  (await metrics.trappedErrors.get()).values.map(({ labels, value }) => [labels.place, value]);

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('lost');
    },
  ],
  ['rejects', () => Promise.reject(new Error('lost'))],
])('an error that %s throws is caught, counted by its place and logged', async (_how, work) => {
  trap.run('timer', work);
  trap.listener('socket', work)();
  await nextTurn();

  expect(await counts()).toEqual([
    ['timer', 1],
    ['socket', 1],
  ]);
  expect(lines).toEqual(
    ['timer', 'socket'].map((place) => [
      'error',
      { msg: 'error trapped', place, err: expect.objectContaining({ message: 'lost' }) },
    ]),
  );
});

it('a failure that will be retried is counted too, and logged as a warning', async () => {
  trap.failed('timer', 'signing keys not reloaded', new Error('lost'));

  expect(await counts()).toEqual([['timer', 1]]);
  expect(lines).toEqual([
    ['warn', { msg: 'signing keys not reloaded', err: expect.objectContaining({ message: 'lost' }) }],
  ]);
});

it('a listener that does not fail gets its arguments, and nothing is counted', async () => {
  const heard: unknown[] = [];
  trap.listener('adapter', (...args: number[]) => heard.push(args))(1, 2);
  await nextTurn();

  expect(heard).toEqual([[1, 2]]);
  expect(await counts()).toEqual([]);
  expect(lines).toEqual([]);
});
