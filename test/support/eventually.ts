import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** Looks again until what is read equals `expected`; after two minutes, fails with the difference. */
export async function eventually<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const end = Date.now() + 120_000;
  let last = await read();
  while (Date.now() < end && JSON.stringify(last) !== JSON.stringify(expected)) {
    await setTimeout(20);
    last = await read();
  }
  expect(last).toEqual(expected);
}
