import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { runInNewContext } from 'node:vm';

const PATIENCE_MS = 120_000;

/** Repeats `read` until its result equals `expected`; fails with the difference after two minutes. */
export async function eventually<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (let pause = 20; ; pause = Math.min(pause * 1.2, 200)) {
    const last = await read();
    try {
      expect(last).toEqual(expected);
      return;
    } catch (difference) {
      if (Date.now() > end) throw difference;
    }
    await setTimeout(pause);
  }
}

const BOUND_MS = 10_000;

/** Runs a short function with a time limit that also stops a regular expression that backtracks, unlike Jest's. */
export const withinBound = <Result>(work: () => Result): Result =>
  runInNewContext('work()', { work }, { timeout: BOUND_MS }) as Result;
