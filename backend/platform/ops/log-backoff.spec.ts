import { expect, it } from '@jest/globals';
import { LogBackoff } from './log-backoff.js';

const failure = (code: string, msg = 'projecting failed') => ({ msg, err: { name: 'error', code } });

it('logs the first line of an outage, then lines at growing intervals, with the number of lines left out', () => {
  let now = 0;
  const backoff = new LogBackoff(() => now);
  const written: [number, number][] = [];
  for (; now < 3_600_000; now += 100) {
    const leftOut = backoff.leftOutBefore(failure('53100'));
    if (leftOut !== undefined) written.push([now / 1000, leftOut]);
  }
  expect(written.slice(0, 4)).toEqual([
    [0, 0],
    [1, 9],
    [3, 19],
    [7, 39],
  ]);
  expect(written).toHaveLength(15);
  const counted = written.reduce((sum, [, leftOut]) => sum + leftOut + 1, 0);
  expect(counted).toBeGreaterThan(30_000);
});

it('counts kinds of outages separately, and starts over after a quiet time', () => {
  let now = 0;
  const backoff = new LogBackoff(() => now);
  const failures = [failure('53100'), failure('53100', 'sweep failed'), failure('ECONNREFUSED')];
  expect(failures.map((each) => backoff.leftOutBefore(each))).toEqual([0, 0, 0]);
  expect(backoff.leftOutBefore(failure('53100'))).toBeUndefined();
  now = 60_000;
  expect(backoff.leftOutBefore(failure('53100'))).toBe(1);
  now = 61_000;
  expect(backoff.leftOutBefore(failure('53100'))).toBe(0);
});

it('finds the outage that caused another error, and logs every line about anything else', () => {
  const backoff = new LogBackoff(() => 0);
  const behind = { msg: 'request failed', err: { name: 'Problem', cause: { code: '53100' } } };
  const mistake = failure('23505');
  expect([behind, behind].map((each) => backoff.leftOutBefore(each))).toEqual([0, undefined]);
  expect([mistake, mistake, { msg: 'started' }].map((each) => backoff.leftOutBefore(each))).toEqual([
    0, 0, 0,
  ]);
});
